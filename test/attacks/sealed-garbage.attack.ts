/** 64 callers without a credential push fresh batches of users that nobody has. What do other pushes wait? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("sealed-garbage");
