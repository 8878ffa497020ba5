import { createHash } from 'node:crypto'
import type { JobInsert } from 'pg-boss'
import { z } from 'zod'
import type { Job, PlannedJob } from './jobs.ts'

/** pg-boss takes UUIDs alone. */
function uuidOf(queue: string, id: string): string {
  const hex = createHash('sha256').update(`${queue}\n${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const envelope = z.object({ id: z.string(), data: z.unknown() })

/** As pg-boss keeps it: every version has to read what the one before it has enqueued. */
export const toBossJob = (queue: string, { id, data, at }: PlannedJob): JobInsert => ({
  id: uuidOf(queue, id),
  data: { id, data },
  startAfter: at,
})

/** `undefined` where it is malformed. */
export const fromBossData = (data: unknown): Job | undefined => envelope.safeParse(data).data
