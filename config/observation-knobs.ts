/** The settings of those who watch the service: where it is looked at, what it logs. */
import { knob } from "./knob.ts";
import { anyText, integer, networks, oneOf } from "./knob-values.ts";

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
} as const;
