/** 1,000 silent connections come to the SFTP door, each from an address of its own. Does a bank get in? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("silent-sftp");
