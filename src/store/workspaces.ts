import { z } from 'zod'
import { epochMs } from './engine/schema.ts'

export const credentialsRecord = z.object({
  key: z.string(),
  secret: z.string(),
  connectedBy: z.string(),
  connectedAt: epochMs,
})
export type CredentialsRecord = z.infer<typeof credentialsRecord>

export const zoneSettings = z.object({ zone: z.string().optional() })

export const organisationRecord = z.object({ enterpriseId: z.string().min(1), teamId: z.string().min(1) })

/** In the order in which people see them. */
export const areas = ['calls', 'recordings', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Admins always may; `people` are ids that may too where `who` is `people`. */
const accessRule = z.object({
  who: z.enum(['everyone', 'admins', 'people']),
  people: z.array(z.string()),
})
export type AccessRule = z.infer<typeof accessRule>

export const accessRecord = z.object({
  calls: accessRule,
  recordings: accessRule,
  agents: accessRule,
  billing: accessRule,
  /** Which of those who see calls may export them. */
  exports: z.enum(['everyone', 'admins']),
  /** People's ids: who manages Callboard besides those who do anyway. */
  administrators: z.array(z.string()),
})
export type AccessRecord = z.infer<typeof accessRecord>

export const linesRecord = z.object({ lines: z.array(z.object({ number: z.string(), name: z.string() })) })
