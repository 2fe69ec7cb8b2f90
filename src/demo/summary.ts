/** What the first screen says after the replay: what was recognised, one customer in full, and what to type next. */
import path from "node:path";
import { knobs } from "../../config/knobs.ts";
import { inAddress } from "../machine/addresses.ts";
import { type DemoHost, demoPartnerId } from "./host.ts";
import type { Service } from "../interface/services.ts";

type FrequencyCount = { frequency: string; services: number };

/** Services of one customer are enough to see what there is. */
const shownMax = 12;

export async function describeDemo(tideline: DemoHost): Promise<string> {
  const ledger = await countLedger(tideline);
  const byFrequency = await countServices(tideline);
  const customer = await findCustomer(tideline);
  const total = byFrequency.reduce((sum, row) => sum + row.services, 0);
  return [
    "",
    `Recognised ${total} running services in ${ledger.transactions.toLocaleString("en-GB")} transactions of ${ledger.users} customers:`,
    `  ${byFrequency.map((row) => `${row.services} ${row.frequency.toLowerCase()}`).join(", ")}`,
    ...(customer
      ? [
          "",
          `For instance customer ${customer.bankUserId} (${customer.brand}):`,
          ...customer.services.slice(0, shownMax).map(describeService),
        ]
      : []),
    "",
    describeNextSteps(tideline),
  ].join("\n");
}

async function countLedger(tideline: DemoHost): Promise<{ users: number; transactions: number }> {
  const { rows } = await tideline.database.query<{ users: number; transactions: number }>(
    `select count(distinct user_id) as users, count(*) as transactions
       from transactions
       join users on users.id = transactions.user_id
      where users.partner_id = $1`,
    [demoPartnerId],
  );
  return rows[0] ?? { users: 0, transactions: 0 };
}

async function countServices(tideline: DemoHost): Promise<FrequencyCount[]> {
  const { rows } = await tideline.database.query<FrequencyCount>(
    `select services.document ->> 'paymentFrequency' as frequency, count(*) as services
       from services
       join users on users.id = services.user_id
      where users.partner_id = $1
        and services.document ->> 'status' = 'ACTIVE'
        and services.document ->> 'visibility' <> 'HIDDEN'
      group by 1
      order by 2 desc, 1`,
    [demoPartnerId],
  );
  return rows;
}

/** The Danish customer with the most running services. */
async function findCustomer(
  tideline: DemoHost,
): Promise<{ bankUserId: string; brand: string; services: Service[] } | null> {
  const { rows } = await tideline.database.query<{ bankUserId: string; brand: string; services: Service[] }>(
    `select users.bank_user_id as "bankUserId", users.brand_id as brand,
            json_agg(services.document order by services.document ->> 'nextExpectedTransactionDate') as services
       from services
       join users on users.id = services.user_id
      where users.partner_id = $1
        and users.brand_id = 'demo-dk'
        and services.document ->> 'status' = 'ACTIVE'
        and services.document ->> 'visibility' = 'VISIBLE'
      group by 1, 2
      order by count(*) desc, 1
      limit 1`,
    [demoPartnerId],
  );
  return rows[0] ?? null;
}

function describeService(service: Service): string {
  const amount = service.amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const title = service.product.title.slice(0, 28).padEnd(28);
  return `  ${service.nextExpectedTransactionDate}  ${title}  ${amount.padStart(10)} ${service.currency}  ${service.paymentFrequency.toLowerCase()}`;
}

function describeNextSteps(tideline: DemoHost): string {
  const relative = path.relative(process.cwd(), tideline.folder.demo);
  const folder = relative.startsWith("..") ? tideline.folder.demo : relative;
  const isDefault = path.resolve(knobs.dataDir.byDefault) === tideline.folder.root;
  const dataDirFlag = isDefault ? "" : ` --data-dir ${shellWord(path.dirname(folder))}`;
  // ssh splits the option's value at blanks once more.
  const knownHosts = folder.includes(" ") ? `"${folder}/known_hosts"` : `${folder}/known_hosts`;
  return [
    "Try it:",
    `  curl --cacert ${shellWord(`${folder}/ca.pem`)} ${tideline.baseUrl}/health/ready`,
    `  sftp -i ${shellWord(`${folder}/sftp_key`)} -o ${shellWord(`UserKnownHostsFile=${knownHosts}`)} -P ${tideline.sftpPort} ${demoPartnerId}@${inAddress(tideline.host)}`,
    `  npm run tideline -- status${dataDirFlag}`,
    "  npm run tideline -- help",
    "",
  ].join("\n");
}

/** As a shell reads it back in one piece. */
function shellWord(text: string): string {
  return /^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
