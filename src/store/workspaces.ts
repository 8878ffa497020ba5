import { z } from 'zod'

/** The workspace's key and secret for the service. Encrypted. */
export const credentialsRecord = z.object({
  key: z.string(),
  secret: z.string(),
  /** A person's id. */
  connectedBy: z.string(),
  /** Epoch ms. */
  connectedAt: z.number(),
})
export type CredentialsRecord = z.infer<typeof credentialsRecord>

export const workspaceSettings = z.object({ zone: z.string().optional() })
export type WorkspaceSettings = z.infer<typeof workspaceSettings>

export const channelSettings = z.object({ zone: z.string().optional() })
export type ChannelSettings = z.infer<typeof channelSettings>

export const areas = ['calls', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Admins always may; `people` are ids that may too where `who` is `people`. */
export const accessRule = z.object({
  who: z.enum(['everyone', 'admins', 'people']),
  people: z.array(z.string()),
})
export type AccessRule = z.infer<typeof accessRule>

export const accessRecord = z.object({ calls: accessRule, agents: accessRule, billing: accessRule })
export type AccessRecord = z.infer<typeof accessRecord>

/** How the service has answered of late. */
export const connectionRecord = z.object({
  /** Epoch ms, to the hour or so. */
  lastSuccess: z.number().optional(),
  lastFailure: z.object({ at: z.number(), outcome: z.string() }).optional(),
})
export type ConnectionRecord = z.infer<typeof connectionRecord>

/** Whether this workspace's Slack takes `table` blocks. */
export const tableSupport = z.object({
  /** It took one on a `response_url`. */
  accepted: z.boolean(),
  /** Epoch ms: text lines until then. */
  refusedUntil: z.number().optional(),
})
export type TableSupport = z.infer<typeof tableSupport>
