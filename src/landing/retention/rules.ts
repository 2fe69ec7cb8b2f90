/**
 * Which deliveries retention may touch. What is not finished, or is kept for someone's decision, it never touches:
 * records refused or waiting stand in the kept original, and a load that was given up is loaded again from there.
 */
export const settledCondition = `
  state in ('loaded', 'refused')
  and finished_at is not null
  and coalesce(refusal_code, '') <> 'LOAD_ABANDONED'
  and records_refused = 0
  and records_waiting = 0
  and batches_refused = 0`;
