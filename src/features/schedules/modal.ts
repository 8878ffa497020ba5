import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { ScheduleForm } from '../../scheduler/kind.ts'
import type { KindInfo } from '../../scheduler/kinds.ts'
import { formOrigin, type ListPlace } from '../../slack/answers/form-origin.ts'
import { section } from '../../slack/blocks/blocks.ts'
import { channelSelect, inviteHint } from '../../slack/blocks/form-inputs.ts'
import { input, modal } from '../../slack/blocks/inputs.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Schedule, ScheduleDraft } from '../../store/schedules.ts'
import { wallTime } from '../../store/schema.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Zone } from '../../time/types.ts'
import { readRhythm, rhythmInputs } from './rhythms.ts'

export const titleOf = ({ posts }: Pick<KindInfo, 'posts'>) => `Schedule ${posts}`

/** Channel, rhythm and time of scheduled posts, and what their kind asks beside that. Pure. */
export function scheduleModal(
  { info, intro, inputs }: ScheduleForm,
  form: {
    readonly team: Tenant
    /** Where the command was typed; empty in a view that belongs to no channel. */
    readonly channel: string
    /** The channel that is chosen, with its time zone; none: there is none yet. */
    readonly chosen?: { readonly channel: string; readonly zone: Zone } | undefined
    /** The one that is changed; none: it is a new one. */
    readonly schedule?: Schedule | undefined
    readonly list?: ListPlace | undefined
  },
): types.ModalView {
  const { team, channel, chosen, schedule, list } = form
  const select = channelSelect(info.actions.channel.id, chosen?.channel ?? '')
  const zoneHint = `In the channel's time zone${chosen ? `: ${chosen.zone}` : ''}.`
  return modal({
    id: info.form,
    metadata: writeOrigin(team, channel, formOrigin.parse({ id: schedule?.id, list })),
    title: titleOf(info),
    submit: info.preview ? 'Preview' : 'Save',
    blocks: [
      section(intro),
      // The choice is told at once, for the time zone below.
      { ...input('channel', 'Channel', select, { hint: inviteHint }), dispatch_action: true },
      ...inputs(schedule),
      ...rhythmInputs(info, schedule?.day),
      input(
        'time',
        'Time',
        { type: 'timepicker', action_id: 'time', initial_time: schedule?.time ?? '09:00' },
        { hint: zoneHint },
      ),
    ],
  })
}

const form = z.object({
  channel: z.string().min(1),
  time: wallTime,
})

/** @throws {ForgedValueError} */
export function readSchedule(
  view: ViewPayload,
  { info, readInputs }: Pick<ScheduleForm, 'info' | 'readInputs'>,
): { readonly draft: ScheduleDraft } | { readonly errors: Readonly<Record<string, string>> } {
  const rhythm = readRhythm(view, info)
  if ('errors' in rhythm) return rhythm
  return { draft: { ...readForm(view, form), ...rhythm, ...readInputs(view) } }
}
