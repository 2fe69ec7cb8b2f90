/**
 * Which deliveries retention may touch. What is not finished, or is kept for someone's decision, it never touches:
 * records refused or waiting stand in the kept original until they are released or dropped, and a load that was given up
 * is loaded again from there. Nothing is to be decided about what was withdrawn or dropped.
 */
export const settledCondition = `
  finished_at is not null
  and (
    state = 'withdrawn'
    or (
      state in ('loaded', 'refused')
      and (
        quarantine_closed_at is not null
        or (
          coalesce(refusal_code, '') not in ('LOAD_ABANDONED', 'LOAD_CANCELLED')
          and records_refused = 0
          and records_waiting = 0
          and batches_refused = 0
        )
      )
    )
  )`;
