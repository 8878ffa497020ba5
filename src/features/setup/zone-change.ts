import { z } from 'zod'
import { action } from '../../slack/blocks/action.ts'
import type { Zone } from '../../time/types.ts'
import { parseZone } from '../../time/zone-names.ts'

const zone = z.string().transform((text, context): Zone => {
  const parsed = parseZone(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: 'no time zone' })
  return z.NEVER
})

/** What a change did to a channel's own time zone; none: the workspace's holds. */
const zoneChange = z.strictObject({ before: zone.optional(), set: zone.optional() })
export type ZoneChange = Readonly<z.infer<typeof zoneChange>>

export const zoneActions = { undo: action('setup.zone.undo', zoneChange) }
