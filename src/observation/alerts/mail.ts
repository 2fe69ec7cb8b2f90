/** An alert as a mail, by whatever SMTP server the operator has. */
import type { Message } from "./table.ts";
import { bodyOf, titleOf } from "./words.ts";

export type MailSettings = {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  smtpUrl: string;
  from: string;
  to: readonly string[];
};

const withinMs = 15_000;

/** @throws what the server or the way to it says */
export async function sendMail({ smtpUrl, from, to }: MailSettings, message: Message): Promise<void> {
  // Where no mail is sent, a megabyte less is read at the start.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
  });
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: titleOf(message),
      text: `${bodyOf(message)}\n`,
      // The same message sent again after a broken answer is one to its readers, and answers to an alert are its thread.
      messageId: `<${message.id}@tideline>`,
      references: `<${threadOf(message)}@tideline>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}

function threadOf({ name, subject, since }: Message): string {
  return `${name}.${Buffer.from(subject).toString("hex")}.${since.getTime()}`;
}
