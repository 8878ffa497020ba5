import { z } from 'zod'
import type { Workspace } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { parsePayload } from './payloads.ts'

const eventSchema = z.looseObject({ type: z.string() })

export interface SlackEvent {
  /** The team is empty if the event concerns a whole organization. */
  readonly workspace: Workspace
  readonly isOrganization: boolean
  /** With a precision of one second. */
  readonly at: EpochMs
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>
}

/** @see https://docs.slack.dev/apis/events-api#callback-field */
const eventPayloadSchema = z
  .object({
    team_id: z.string().nullish(),
    enterprise_id: z.string().nullish(),
    /** Nested once more: https://docs.slack.dev/reference/events/team_access_revoked */
    event: z.union([z.object({ event: eventSchema }).transform((outer) => outer.event), eventSchema]),
    event_time: z.number().default(0),
    authorizations: z
      .array(
        z.object({ enterprise_id: z.string().nullish(), is_enterprise_install: z.boolean().default(false) }),
      )
      .default([]),
  })
  .transform((payload): SlackEvent => {
    const { team_id: id, enterprise_id: enterpriseId, event, event_time: seconds } = payload
    const [authorization] = payload.authorizations
    // The id of an organization isn't a team.
    const organization = id?.startsWith('E') ? id : undefined
    const workspace = {
      enterpriseId: enterpriseId ?? authorization?.enterprise_id ?? organization,
      teamId: organization === undefined ? (id ?? '') : '',
    }
    const isOrganization = authorization?.is_enterprise_install ?? workspace.teamId === ''
    return { workspace, isOrganization, at: seconds * 1000, event }
  })

/** @throws {ForgedValueError} */
export const parseEvent = (body: unknown): SlackEvent => parsePayload(eventPayloadSchema, body, 'event')

/** Returns whether it is an event of one of these types. */
export function isEventOf(types: ReadonlySet<string>, body: Readonly<Record<string, unknown>>): boolean {
  if (body['type'] !== 'event_callback') return false
  const { data } = eventPayloadSchema.safeParse(body)
  return data !== undefined && types.has(data.event.type)
}
