/** Services and upcoming payments are read once the import is complete; hiding shows as soon as it is answered. */
import { randomUUID } from "node:crypto";
import test from "ava";
import type { Database } from "../../../src/database/database.ts";
import { openWorld, partnerPath } from "../world.ts";

const serviceId = "3f6a7c1e-58f1-5b0f-9a53-0d8c6f1f2a44";
const service = {
  id: serviceId,
  amount: 99,
  currency: "DKK",
  paymentFrequency: "MONTHLY",
  accountId: null,
  cardId: "card-1",
  product: {
    title: "Music",
    imageUrl: "https://localhost/assets/products/music.svg",
    type: "SUBSCRIPTION",
    isGateway: false,
    isUnknownStoreSubscription: false,
  },
  status: "ACTIVE",
  userActionsRequired: [],
  payments: [
    {
      id: 1,
      sourceTransactionId: "t-1",
      amount: 99,
      currency: "DKK",
      originalAmount: 99,
      originalCurrency: "DKK",
      date: "2026-06-01",
    },
  ],
  yearlyCost: 1188,
  totalAmountLastTwelveMonths: 1188,
  notifications: [],
  visibility: "VISIBLE",
  nextExpectedTransactionDate: "2026-07-01",
  visibilityOption: "ASK_TO_HIDE",
  cancellation: { directDebit: false, equipmentBack: false, moneyBack: false },
  amountToDisplay: "AMOUNT",
};
const list = (services: unknown[]) => ({
  averageTotalAmount: services.length * 99,
  services,
  totalAmountLastTwelveMonths: services.length * 1188,
  alerts: [],
});
const upcoming = [
  {
    serviceId,
    expectedPaymentDate: "2026-07-01",
    expectedPaymentCost: 99,
    currency: "DKK",
    expectedOriginalPaymentCost: 99,
    originalCurrency: "DKK",
    product: service.product,
    accountId: null,
    cardId: "card-1",
    additionalInfo: {},
  },
];

async function storeReadModel(
  database: Database,
  userId: number,
  importComplete: boolean,
  hidden = false,
): Promise<void> {
  const [shown, out] = hidden ? [[], [service]] : [[service], []];
  await database.query(
    `insert into read_models (user_id, services_visible, services_hidden, upcoming, import_complete, computed_for, algorithm_version)
     values ($1, $2, $3, $4, $5, '2026-06-15', 1)
     on conflict (user_id) do update
        set services_visible = excluded.services_visible, services_hidden = excluded.services_hidden, import_complete = excluded.import_complete`,
    [userId, JSON.stringify(list(shown)), JSON.stringify(list(out)), JSON.stringify(upcoming), importComplete],
  );
}

async function storeService(
  database: Database,
  userId: number,
  document: object | null = service,
  id = serviceId,
): Promise<void> {
  await database.query(
    "insert into services (id, user_id, key, txids, first_detected_on, document) values ($1, $2, 'music', '{t-1}', '2026-06-01', $3)",
    [id, userId, document && JSON.stringify(document)],
  );
}

test.serial("a user whose import is complete reads services, one service and upcoming payments", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token, userId } = await newUser("anna");
  await storeReadModel(database, userId, true);
  await storeService(database, userId);

  const services = await call("GET", `${partnerPath}/services`, { token });
  t.is(services.status, 200);
  t.deepEqual(services.json, list([service]));
  t.deepEqual((await call("GET", `${partnerPath}/services?visibility=VISIBLE`, { token })).json, list([service]));
  t.deepEqual((await call("GET", `${partnerPath}/services?visibility=HIDDEN`, { token })).json, list([]));

  const one = await call("GET", `${partnerPath}/services/${serviceId}`, { token });
  t.is(one.status, 200);
  t.deepEqual(one.json, service);

  const next = await call("GET", `${partnerPath}/upcoming-payments`, { token });
  t.is(next.status, 200);
  t.deepEqual(next.json, upcoming);
});

test.serial(
  "until the import is complete and recognised, services are 202 with Retry-After and Location; the other reads tell what is there",
  async (t) => {
    const { call, newUser, database } = await openWorld(t);
    const { token, userId } = await newUser("anna");
    const early = await call("GET", `${partnerPath}/services`, { token });
    t.is(early.status, 202);
    t.is(early.text, "");
    t.is(early.headers["retry-after"], "5");
    t.is(early.headers.location, `${partnerPath}/services`);
    t.deepEqual((await call("GET", `${partnerPath}/upcoming-payments`, { token })).json, []);
    t.is((await call("GET", `${partnerPath}/services/${serviceId}`, { token })).status, 404);

    await storeReadModel(database, userId, false);
    const during = await call("GET", `${partnerPath}/services?visibility=HIDDEN`, { token });
    t.is(during.status, 202);
    t.is(during.headers.location, `${partnerPath}/services?visibility=HIDDEN`);
    t.deepEqual((await call("GET", `${partnerPath}/upcoming-payments`, { token })).json, upcoming);

    await storeReadModel(database, userId, true);
    t.is((await call("GET", `${partnerPath}/services`, { token })).status, 200);
  },
);

test.serial("a visibility that the interface does not know is 400", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");
  const answer = await call("GET", `${partnerPath}/services?visibility=UNDECIDED`, { token });
  t.is(answer.status, 400);
  t.like(answer.json, { code: "REQUEST_INVALID", errors: [{ pointer: "/visibility" }] });
});

test.serial("a service of another user, one that is no longer found, and a text that is no id are 404", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const anna = await newUser("anna");
  const bo = await newUser("bo");
  const gone = randomUUID();
  await storeService(database, bo.userId);
  await storeService(database, anna.userId, null, gone);
  for (const id of [serviceId, gone, randomUUID(), "1", "'; drop table users", "%00"]) {
    const target = `${partnerPath}/services/${encodeURIComponent(id)}`;
    const read = await call("GET", target, { token: anna.token });
    t.is(read.status, 404, id);
    t.like(read.json, { code: "SERVICE_UNKNOWN" });
    t.is((await call("PUT", `${target}/hidden`, { token: anna.token, body: { hidden: true } })).status, 404, id);
  }
  t.is((await database.query("select 1 from services where hidden is not null")).rowCount, 0);
});

test.serial("hiding a service is stored, and answered only when reads tell the new state", async (t) => {
  const refreshed: number[] = [];
  let database: Database | undefined;
  const world = await openWorld(t, {
    refreshUser: async (userId) => {
      refreshed.push(userId);
      const { rows } = (await database?.query<{ hidden: boolean }>("select hidden from services")) ?? { rows: [] };
      if (database) await storeReadModel(database, userId, true, rows[0]?.hidden);
    },
  });
  database = world.database;
  const { token, userId } = await world.newUser("anna");
  await storeReadModel(database, userId, true);
  await storeService(database, userId);
  const put = (body: unknown) => world.call("PUT", `${partnerPath}/services/${serviceId}/hidden`, { token, body });
  const visible = async () =>
    ((await world.call("GET", `${partnerPath}/services`, { token })).json as { services: unknown[] }).services.length;

  const hidden = await put({ hidden: true });
  t.is(hidden.status, 200);
  t.is(hidden.text, "");
  t.is(await visible(), 0);
  t.deepEqual(refreshed, [userId]);
  const { rows } = await database.query(
    "select s.hidden, s.hidden_decided_at is not null as decided, c.user_id from services s join changed_users c using (user_id)",
  );
  t.deepEqual(rows, [{ hidden: true, decided: true, user_id: userId }]);

  t.is((await put({ hidden: false })).status, 200);
  t.is(await visible(), 1);
  for (const body of [{}, { hidden: "true" }, { hidden: 1 }, { hidden: null }])
    t.is((await put(body)).status, 400, JSON.stringify(body));
});
