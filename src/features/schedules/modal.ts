import type { types } from '@slack/bolt'
import type { ScheduleForm } from '../../scheduler/kind.ts'
import type { KindInfo } from '../../scheduler/kinds.ts'
import { section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import { formOrigin, type ListPlace } from '../../slack/deliver/form-origin.ts'
import { channelField, time } from '../../slack/forms/fields.ts'
import { type Errors, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Schedule, ScheduleDraft } from '../../store/schedules.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Zone } from '../../time/types.ts'
import { rhythmFields, rhythmOf } from './rhythms.ts'

export const titleOf = ({ posts }: Pick<KindInfo, 'posts'>) => `Schedule ${posts}`

/** @param chosen the channel that is chosen, with its time zone; none: there is none yet */
function formOf(info: KindInfo, schedule?: Schedule, chosen?: ChosenChannel) {
  const { day, weekdays } = rhythmFields(info, schedule?.day)
  // The choice is told at once, for the time zone below.
  const channel = channelField(chosen?.channel ?? '', { redraw: info.actions.channel })
  const hint = `In the channel's time zone${chosen ? `: ${chosen.zone}` : ''}.`
  return {
    first: new Form({ channel }),
    rhythm: new Form({ day, weekdays, time: time('Time', schedule?.time ?? '09:00', { hint }) }),
  }
}

interface ChosenChannel {
  readonly channel: string
  readonly zone: Zone
}

/** Channel, rhythm and time of scheduled posts, and what their kind asks beside that. Pure. */
export function scheduleModal(
  { info, intro, inputs }: ScheduleForm,
  form: {
    readonly team: Tenant
    /** Where the command was typed; empty in a view that belongs to no channel. */
    readonly channel: string
    readonly chosen?: ChosenChannel | undefined
    /** The one that is changed; none: it is a new one. */
    readonly schedule?: Schedule | undefined
    readonly list?: ListPlace | undefined
  },
): types.ModalView {
  const { team, channel, chosen, schedule, list } = form
  const { first, rhythm } = formOf(info, schedule, chosen)
  return modal({
    id: info.form,
    metadata: writeOrigin(team, channel, formOrigin.parse({ id: schedule?.id, list })),
    title: titleOf(info),
    submit: info.preview ? 'Preview' : 'Save',
    blocks: [section(intro), ...first.inputs(), ...inputs(schedule), ...rhythm.inputs()],
  })
}

/** @throws {ForgedValueError} */
export function readSchedule(
  view: ViewPayload,
  { info, readInputs }: Pick<ScheduleForm, 'info' | 'readInputs'>,
): { readonly draft: ScheduleDraft } | { readonly errors: Errors } {
  const { first, rhythm } = formOf(info)
  const [where, when] = [first.read(view), rhythm.read(view)]
  if (!where.values || !when.values) return { errors: { ...where.errors, ...when.errors } }
  const { time: at, ...chosen } = when.values
  const day = rhythmOf(chosen, info)
  if ('errors' in day) return day
  return { draft: { ...where.values, time: at, ...day, ...readInputs(view) } }
}
