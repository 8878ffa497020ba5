import { isDeepStrictEqual } from 'node:util'
import type { AlertRecord } from '../../store/alerts.ts'
import { lineKey } from '../../telephony/line-names.ts'

/** What makes two alerts tell the same, whoever set them up. */
const toldBy = ({ channel, lines, agents, threshold, hours }: AlertRecord) => ({
  channel,
  lines: lines.map(lineKey).toSorted(),
  agents: agents.map(({ id }) => id).toSorted(),
  threshold: threshold ?? null,
  hours: hours ?? null,
})

/** Whether they post the same in the same channel. */
export const tellTheSame = (one: AlertRecord, other: AlertRecord): boolean =>
  isDeepStrictEqual(toldBy(one), toldBy(other))
