import { z } from 'zod'
import { readValue } from '../../slack/blocks/values.ts'
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
export interface ZoneChange {
  readonly before: Zone | undefined
  readonly set: Zone | undefined
}

/** For the value of the button that undoes it. */
export const writeZoneChange = ({ before, set }: ZoneChange): string => JSON.stringify({ before, set })

/** @throws {ForgedValueError} */
export function readZoneChange(value: string | undefined): ZoneChange {
  const { before, set } = readValue(zoneChange, value, "a change of a channel's time zone")
  return { before, set }
}
