/** A partner delivers four files of 3.9 MB, each one line 17,000 times that opens to 15 MiB. When is another partner's file loaded? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("loading-bombs");
