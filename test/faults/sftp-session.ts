/** A bank's SFTP connection that can be cut anywhere: every call fails when the connection is gone. */
import { readFile } from "node:fs/promises";
import { connect as connectSocket, type Socket } from "node:net";
import path from "node:path";
import ssh2, { type Client, type SFTPWrapper } from "ssh2";
import type { Partner } from "../outside/partner.ts";

type Callback<Result> = (error: Error | null | undefined, result: Result) => void;

/** As large as OpenSSH's default. */
const pieceBytes = 32 * 1024;
const loginWithinMs = 20_000;
/** A call that is not answered by then never is. */
const answerWithinMs = 60_000;

export class SftpSession {
  readonly #ssh: Client;
  readonly #sftp: SFTPWrapper;
  readonly #socket: Socket;
  readonly #lost: Promise<never>;

  private constructor(ssh: Client, sftp: SFTPWrapper, socket: Socket, lost: Promise<never>) {
    this.#ssh = ssh;
    this.#sftp = sftp;
    this.#socket = socket;
    this.#lost = lost;
  }

  static async open(partner: Partner): Promise<SftpSession> {
    const privateKey = await readFile(path.join(partner.folder, "sftp_key"));
    const socket = connectSocket({ host: "127.0.0.1", port: partner.sftpPort, noDelay: true });
    const ssh = new ssh2.Client();
    const lost = new Promise<never>((_, reject) => {
      ssh.on("error", reject);
      ssh.once("close", () => reject(new Error("the connection is gone")));
      socket.once("error", reject);
    });
    lost.catch(() => undefined);
    const ready = new Promise<void>((resolve) => ssh.once("ready", resolve));
    ssh.connect({ sock: socket, username: partner.id, privateKey, readyTimeout: loginWithinMs });
    await Promise.race([ready, lost]);
    const sftp = await Promise.race([
      lost,
      new Promise<SFTPWrapper>((resolve, reject) =>
        ssh.sftp((error, wrapper) => (error ? reject(error) : resolve(wrapper))),
      ),
    ]);
    return new SftpSession(ssh, sftp, socket, lost);
  }

  async #ask<Result>(begin: (sftp: SFTPWrapper, done: Callback<Result>) => void): Promise<Result> {
    const answer = new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no answer")), answerWithinMs);
      begin(this.#sftp, (error, result) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    });
    return await Promise.race([answer, this.#lost]);
  }

  /** @param flags "w" makes the file anew, "r+" goes on with what is there */
  async open(name: string, flags: "w" | "r+" | "wx"): Promise<Buffer> {
    return await this.#ask((sftp, done: Callback<Buffer>) => sftp.open(`inbox/${name}`, flags, done));
  }

  /** Writes bytes of the file from one place up to another, pipelined. */
  async write(handle: Buffer, bytes: Buffer, from = 0, to = bytes.length): Promise<void> {
    const writes: Promise<void>[] = [];
    for (let at = from; at < to; at += pieceBytes) {
      const length = Math.min(pieceBytes, to - at);
      writes.push(
        this.#ask((sftp, done: Callback<void>) =>
          sftp.write(handle, bytes, at, length, at, (error) => done(error, undefined)),
        ),
      );
    }
    await Promise.all(writes);
  }

  async close(handle: Buffer): Promise<void> {
    await this.#ask((sftp, done: Callback<void>) => sftp.close(handle, (error) => done(error, undefined)));
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const handle = await this.open(name, "w");
    await this.write(handle, bytes);
    await this.close(handle);
  }

  async sizeOf(name: string): Promise<number> {
    return (await this.#ask((sftp, done: Callback<{ size: number }>) => sftp.stat(`inbox/${name}`, done))).size;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#ask((sftp, done: Callback<void>) =>
      sftp.rename(`inbox/${from}`, `inbox/${to}`, (error) => done(error, undefined)),
    );
  }

  /** posix-rename@openssh.com: takes the place of a file that is there. */
  async renameOver(from: string, to: string): Promise<void> {
    await this.#ask((sftp, done: Callback<void>) =>
      sftp.ext_openssh_rename(`inbox/${from}`, `inbox/${to}`, (error) => done(error, undefined)),
    );
  }

  async remove(name: string): Promise<void> {
    await this.#ask((sftp, done: Callback<void>) => sftp.unlink(`inbox/${name}`, (error) => done(error, undefined)));
  }

  /** Names of receipts in receipts/, without their signatures. */
  async receiptNames(): Promise<string[]> {
    const entries = await this.#ask((sftp, done: Callback<{ filename: string }[]>) => sftp.readdir("receipts", done));
    return entries.map((entry) => entry.filename).filter((name) => !name.endsWith(".jws"));
  }

  async readReceipt(name: string): Promise<string> {
    return (await this.#ask((sftp, done: Callback<Buffer>) => sftp.readFile(`receipts/${name}`, done))).toString(
      "utf8",
    );
  }

  /** Without a word, as a network does it. */
  cut(): void {
    this.#socket.destroy();
    this.#ssh.destroy();
  }

  end(): void {
    this.#ssh.end();
  }
}
