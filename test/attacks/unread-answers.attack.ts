/** 200 connections ask on and on and read no answer. What do others wait, and what does the process hold? */
import { attackBy } from "./pressure/judged.ts";

export const attack = attackBy("unread-answers");
