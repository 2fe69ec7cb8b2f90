/** Status codes of SFTP version 3 (draft-ietf-secsh-filexfer-02, section 7) and how failures become one. */

export const statusCodes = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  operationUnsupported: 8,
} as const;

export type StatusCode = (typeof statusCodes)[keyof typeof statusCodes];

/** A request that is answered with a status other than OK. The message is for the person at the other end. */
export class Refusal extends Error {
  readonly status: StatusCode;

  constructor(status: StatusCode, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

export function denied(message: string): Refusal {
  return new Refusal(statusCodes.permissionDenied, message);
}

export function failed(message: string): Refusal {
  return new Refusal(statusCodes.failure, message);
}

export function absent(): Refusal {
  return new Refusal(statusCodes.noSuchFile, "No such file or folder.");
}

/** File-system errors that say something about the client's request; every other one is ours. */
const refusalsBySystemCode: Readonly<Record<string, () => Refusal>> = {
  ENOENT: absent,
  ENOTDIR: absent,
  ELOOP: absent,
  EEXIST: () => failed("The name exists already."),
  ENOTEMPTY: () => failed("The folder is not empty."),
  EISDIR: () => failed("The name is a folder."),
  ENOSPC: () => failed("There is no space left."),
  EDQUOT: () => failed("There is no space left."),
};

/** The refusal that an error stands for, or null when it is a failure of ours that must be reported. */
export function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return refusalsBySystemCode[code]?.() ?? null;
}
