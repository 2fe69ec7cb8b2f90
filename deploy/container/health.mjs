// The container's health check: whether the process lives. Whether it is ready is its load balancer's question, at /health/ready.
const port = process.env.TIDELINE_OBSERVE_PORT ?? "9464";
const answered = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(4000) }).catch(
  () => null,
);
process.exit(answered?.status === 200 ? 0 : 1);
