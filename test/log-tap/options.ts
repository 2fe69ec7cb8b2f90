/** What makes the processes below tap their logs, where TIDELINE_TEST_LOGS names a folder. */
export function tapOptions(environment: NodeJS.ProcessEnv = process.env): { NODE_OPTIONS?: string } {
  const folder = environment.TIDELINE_TEST_LOGS;
  if (!folder) return {};
  const hooks = new URL("hooks.ts", import.meta.url);
  hooks.searchParams.set("folder", folder);
  return { NODE_OPTIONS: [environment.NODE_OPTIONS, `--import=${hooks.href}`].filter(Boolean).join(" ") };
}
