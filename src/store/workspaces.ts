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

/** Areas that access rules cover, in display order. */
export const areas = ['calls', 'recordings', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Administrators always have access; `people` are the ids of others, if `who` is `people`. */
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
  /** Who may export calls, of the people who see calls. */
  exports: z.enum(['everyone', 'admins']),
  /** Ids of administrators in addition to the installer and Slack's admins and owners. */
  administrators: z.array(z.string()),
})
export type AccessRecord = z.infer<typeof accessRecord>

/** The agent that a person is. By tenant and person. */
export const ownAgentRecord = z.object({ agentId: z.string().min(1), agentName: z.string() })
export type OwnAgentRecord = z.infer<typeof ownAgentRecord>

export const linesRecord = z.object({ lines: z.array(z.object({ number: z.string(), name: z.string() })) })
