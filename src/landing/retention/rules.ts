/**
 * Which deliveries retention may touch. What is not finished, or is kept for someone's decision, it never touches:
 * records refused or waiting stand in the kept original until they are released or dropped, and what was refused whole
 * or given up can be loaded again from there. Nothing is to be decided about what was withdrawn or dropped, or was
 * refused at the door, which kept nothing of it.
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
          not (state = 'refused' and bytes_removed_at is null and (vault_reference is not null or door = 'https'))
          and records_refused = 0
          and records_waiting = 0
          and batches_refused = 0
        )
      )
    )
  )`;
