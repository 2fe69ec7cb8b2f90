/** Why a call that Specmatic invents is rightly not answered as it expects; .ci/contract fails for any other, and for one of these that passes. */
type Explained = { call: RegExp; outcome: RegExp; reason: string };

const answered = (status: number) => new RegExp(`response contained status ${status}`);

export const explained: readonly Explained[] = [
  { call: /GET \/openapi\.json -> 200/, outcome: /Missing required property/, reason: "any object will do, but the tool expects the members of a list within it to be alike" },
  { call: /POST \S+\/users -> 201/, outcome: answered(409), reason: "the example's user was made by the call before" },
  { call: /POST \S+\/users\/logins -> 200/, outcome: answered(403), reason: "an invented payload is no signed login" },
  { call: /POST \S+\/transactions -> 201/, outcome: answered(400), reason: "an invented txs is no JWE" },
  { call: /POST \S+\/crowdsourcing -> 201/, outcome: answered(404), reason: "an invented id names no transaction" },
  { call: /POST \S+\/psd2\/initiate -> 200/, outcome: answered(400), reason: "the shortest and longest texts that the tool makes up are no URIs" },
  { call: /POST \S+\/coapplicants -> 200.* only the mandatory keys/, outcome: answered(400), reason: "SEPARATE_FINANCES needs the other's budgetId (the interface's own 400)" },
  { call: /POST \S+\/adjustments -> 200.*'UNKNOWN'/, outcome: answered(400), reason: "a given amount has a frequency that is known" },
  { call: /POST \S+\/questions\/\(actionId:uuid\) -> 200/, outcome: answered(400), reason: "an answer's amounts, services and transactions must fit its question; invented ones do not" },
  { call: /POST \S+\/report -> 200/, outcome: /expected application\/octet-stream/, reason: "the tool sends no Accept, and the first of the two forms is answered" },
  { call: /PUT \S+\/accounts-balances -> 200/, outcome: answered(400), reason: "the tool repeats one account in the list, which would leave two balances for it" },
  { call: /-ve .*mutated from .* to null\b/s, outcome: /Expected 4xx status, but received 20[01]/, reason: "null in an optional field counts as absent, as the document's description says; a test tries that in every one, and that the others refuse it" },
];
