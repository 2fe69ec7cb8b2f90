/** The Kubernetes base, rendered by kubectl and held against the API's JSON schemas and the restricted profile's rules. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import test from "ava";
import * as apps from "kubernetes-models/apps/v1";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { parseAllDocuments } from "yaml";
import { examineConfig } from "../../src/config.ts";

const folder = path.resolve(import.meta.dirname, "../../deploy/kustomize");
/** AVA lists these as skipped on a machine without kubectl; no cluster is needed. */
const testWithKubectl = spawnSync("kubectl", ["version", "--client"]).error === undefined ? test : test.skip;

type Container = {
  env: { name: string; value?: string }[];
  envFrom: { secretRef?: { name: string } }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
  securityContext: object;
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec: {
    maxUnavailable?: number;
    policyTypes?: string[];
    ingress?: unknown;
    egress?: unknown;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        securityContext: { runAsNonRoot: boolean };
        automountServiceAccountToken: boolean;
        containers: [Container];
      };
    };
  };
};

function render(): (Manifest & Record<string, unknown>)[] {
  const text = execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
  return parseAllDocuments(text).map((one) => one.toJS() as Manifest & Record<string, unknown>);
}

const models: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  "apps/v1 Deployment": apps.Deployment,
  "networking.k8s.io/v1 NetworkPolicy": networking.NetworkPolicy,
  "policy/v1 PodDisruptionBudget": policy.PodDisruptionBudget,
  "v1 ConfigMap": core.ConfigMap,
  "v1 PersistentVolumeClaim": core.PersistentVolumeClaim,
  "v1 Service": core.Service,
};

/** @returns what the API's schema of its kind says against it; null when nothing */
function problemOf(manifest: Pick<Manifest, "apiVersion" | "kind"> & Record<string, unknown>): string | null {
  const Model = models[`${manifest.apiVersion} ${manifest.kind}`];
  if (Model === undefined) return `nobody knows ${manifest.kind} of ${manifest.apiVersion}`;
  try {
    new Model(manifest as never).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

testWithKubectl("kubectl renders the base, and every object is what the API's schema asks for", (t) => {
  const rendered = render();
  t.is(rendered.filter(({ kind }) => kind === "Deployment").length, 5);
  t.deepEqual(
    rendered.map((one) => [one.metadata.name, problemOf(one)]).filter(([, problem]) => problem !== null),
    [],
  );
});

test("the check notices a field that the API does not have and a number where it wants text", (t) => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "one" } };
  t.is(problemOf({ ...service, spec: { ports: [{ port: 443 }] } }), null);
  t.regex(problemOf({ ...service, spec: { ports: [{ port: "443" }] } }) ?? "", /port/);
  t.regex(problemOf({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 1 } }) ?? "", /selector/);
});

testWithKubectl("each role is watched, bounded, and may do nothing that it need not", (t) => {
  const rendered = render();
  const deployments = rendered.filter(({ kind }) => kind === "Deployment");
  const budgets = rendered.filter(({ kind }) => kind === "PodDisruptionBudget");
  for (const { metadata, spec } of deployments) {
    const { containers, ...pod } = spec.template.spec;
    const [container] = containers;
    t.is(container.livenessProbe.httpGet.path, "/health/live", metadata.name);
    t.regex(container.readinessProbe.httpGet.path, /^\/health\/ready/, metadata.name);
    t.true(pod.securityContext.runAsNonRoot);
    t.false(pod.automountServiceAccountToken);
    t.like(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    t.deepEqual(
      budgets
        .filter(({ spec: { selector } }) =>
          Object.entries(selector.matchLabels).every(([name, value]) => spec.template.metadata.labels[name] === value),
        )
        .map((one) => [one.metadata.name, one.spec.maxUnavailable]),
      [[metadata.name, 1]],
    );
  }
});

testWithKubectl("secrets are named and not made, and every setting is one", (t) => {
  const rendered = render();
  t.deepEqual(
    rendered.filter(({ kind }) => kind === "Secret"),
    [],
  );
  const settings = rendered.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
  for (const { spec } of rendered.filter(({ kind }) => kind === "Deployment")) {
    const { env, envFrom } = spec.template.spec.containers[0];
    t.true(envFrom.some(({ secretRef }) => secretRef?.name === "tideline-secrets"));
    const environment = { ...settings, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
    t.deepEqual(examineConfig({}, environment).problems, []);
  }
});

testWithKubectl("what no policy allows is refused, in both directions", (t) => {
  const policies = render().filter(({ kind }) => kind === "NetworkPolicy");
  const nothing = policies.find(({ metadata }) => metadata.name === "tideline-nothing");
  t.deepEqual(nothing?.spec.policyTypes, ["Ingress", "Egress"]);
  t.is(nothing?.spec.ingress, undefined);
  t.is(nothing?.spec.egress, undefined);
});
