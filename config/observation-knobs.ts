/** The settings of those who watch the service: where it is looked at, what it logs. */
import { knob } from "./knob.ts";
import { anyText, integer, mailAddress, networks, oneOf, url, webhookSecret } from "./knob-values.ts";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export const observationKnobs = {
  observePort: knob<number | undefined>({
    environment: "TIDELINE_OBSERVE_PORT",
    flag: "--observe-port",
    unit: "port",
    byDefault: undefined,
    parse: integer(0, 65_535),
    reason:
      "Where a process of any role answers /health/live, /health/ready and /metrics over plain HTTP; 0 takes any free one. Default: nowhere.",
  }),
  observeHost: knob<string | undefined>({
    environment: "TIDELINE_OBSERVE_HOST",
    unit: "address",
    byDefault: undefined,
    parse: anyText,
    reason: "The address of that port, where it is not the doors' own. Default: TIDELINE_HOST.",
  }),
  metricsNetworks: knob<readonly string[]>({
    environment: "TIDELINE_METRICS_NETWORKS",
    unit: "networks",
    byDefault: ["127.0.0.0/8", "::1/128"],
    parse: networks,
    reason: "From where /metrics may be read, on the partners' port and on the observe port: it tells of all of them.",
  }),
  logLevel: knob<(typeof logLevels)[number]>({
    environment: "TIDELINE_LOG_LEVEL",
    unit: "level",
    byDefault: "info",
    parse: oneOf(logLevels),
    reason: "error = something was lost or someone must act; warn = recovered; info = normal life.",
  }),
  logFile: knob<string | undefined>({
    environment: "TIDELINE_LOG_FILE",
    unit: "file",
    byDefault: undefined,
    parse: anyText,
    reason: "Default: standard error, or tideline.log in the data folder while a terminal shows the summary.",
  }),
  alertWebhookUrl: knob<string | undefined>({
    environment: "TIDELINE_ALERT_WEBHOOK_URL",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("https", "http"),
    reason: "Where alerts are posted as JSON; often it holds a token. Default: nowhere.",
  }),
  alertWebhookSecret: knob<string | undefined>({
    environment: "TIDELINE_ALERT_WEBHOOK_SECRET",
    unit: "base64",
    secret: true,
    byDefault: undefined,
    parse: webhookSecret,
    reason: "Signs those posts by Standard Webhooks; default: unsigned.",
  }),
  alertWebhookPrivateAddress: knob<"refused" | "allowed">({
    environment: "TIDELINE_ALERT_WEBHOOK_PRIVATE_ADDRESS",
    unit: "refused or allowed",
    byDefault: "refused",
    parse: oneOf(["refused", "allowed"]),
    reason: "Whether that address may lie in a private network and be plain http.",
  }),
  alertSmtpUrl: knob<string | undefined>({
    environment: "TIDELINE_ALERT_SMTP_URL",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("smtp", "smtps"),
    reason:
      "The mail server for alerts, with user and password: smtps://user:password@mail.example:465. Default: no mail.",
  }),
  alertMailFrom: knob<string | undefined>({
    environment: "TIDELINE_ALERT_MAIL_FROM",
    unit: "mail address",
    byDefault: undefined,
    parse: mailAddress,
    reason: "From whom alerts are mailed.",
  }),
  alertMailTo: knob<readonly string[]>({
    environment: "TIDELINE_ALERT_MAIL_TO",
    unit: "mail addresses",
    byDefault: [],
    parse: (text) => text.split(",").map((one) => mailAddress(one.trim())),
    reason: "To whom.",
  }),
  alertEverySeconds: knob({
    environment: "TIDELINE_ALERT_EVERY_SECONDS",
    unit: "seconds",
    byDefault: 30,
    parse: integer(1, 3600),
    reason: "How often each process looks for what is wrong; what nobody has seen four times is over.",
  }),
  alertRepeatHours: knob({
    environment: "TIDELINE_ALERT_REPEAT_HOURS",
    unit: "hours",
    byDefault: 24,
    parse: integer(1, 8760),
    reason: "What lasts is told again after so long.",
  }),
  alertWaitingMinutes: knob({
    environment: "TIDELINE_ALERT_WAITING_MINUTES",
    unit: "minutes",
    byDefault: 30,
    parse: integer(1, 100_000),
    reason: "A delivery that nobody has begun, or a user's new data before recognition, wait too long after so many.",
  }),
  alertErrorPercent: knob({
    environment: "TIDELINE_ALERT_ERROR_PERCENT",
    unit: "percent",
    byDefault: 2,
    parse: integer(0, 100),
    reason: "Of an API process's calls in five minutes, answered 5xx: more are too many.",
  }),
  alertCertificateDays: knob({
    environment: "TIDELINE_ALERT_CERTIFICATE_DAYS",
    unit: "days",
    byDefault: 21,
    parse: integer(1, 365),
    reason: "The HTTPS certificate's end is told so long before.",
  }),
  alertKeyDays: knob({
    environment: "TIDELINE_ALERT_KEY_DAYS",
    unit: "days",
    byDefault: 14,
    parse: integer(1, 365),
    reason: "The end of partners' keys is told so long before.",
  }),
  alertBackupHours: knob({
    environment: "TIDELINE_ALERT_BACKUP_HOURS",
    unit: "hours",
    byDefault: 26,
    parse: integer(1, 8760),
    reason: "A last backup older than that is told, where this service makes backups: one a day, and two hours.",
  }),
  alertReplicaLagSeconds: knob({
    environment: "TIDELINE_ALERT_REPLICA_LAG_SECONDS",
    unit: "seconds",
    byDefault: 60,
    parse: integer(1, 86_400),
    reason: "A standby that is further behind is told.",
  }),
} as const;
