/** 64 callers without a credential repeat one accepted request of 26 KB that opens to 15 MiB. What do other pushes wait? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("replayed-request");
