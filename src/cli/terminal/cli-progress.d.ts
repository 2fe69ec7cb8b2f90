/** The part of cli-progress that progress.ts uses; the package brings no types. */
declare module "cli-progress" {
  export type SingleBarOptions = {
    format: string;
    stream: NodeJS.WritableStream;
    hideCursor: boolean;
    etaBuffer: number;
    fps: number;
  };
  export class SingleBar {
    constructor(options: SingleBarOptions);
    start(total: number, startValue: number, payload: Record<string, string>): void;
    setTotal(total: number): void;
    update(value: number, payload: Record<string, string>): void;
    stop(): void;
  }
  const cliProgress: { SingleBar: typeof SingleBar };
  export default cliProgress;
}
