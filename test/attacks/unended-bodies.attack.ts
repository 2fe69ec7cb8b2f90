/** 500 connections send bodies of 2 MiB that never end. What do others wait, and what does the process hold? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("unended-bodies");
