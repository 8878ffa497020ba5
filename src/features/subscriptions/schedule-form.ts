import { z } from 'zod'
import { option, select } from '../../slack/blocks/inputs.ts'
import { time } from '../../slack/forms/fields.ts'
import { type Errors, Field, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import { capital } from '../../util/text.ts'
import { placeFields, readPlace } from './place-fields.ts'
import type { ScheduleInfo, ScheduleKind } from './schedule-kind.ts'
import { rhythmTexts, type ScheduleDraft } from './schedule-rows.ts'

function createScheduleForm({ rhythms }: ScheduleInfo, channel: string, schedule?: ScheduleDraft) {
  const options = rhythms.map((rhythm) => option(capital(rhythmTexts[rhythm]), rhythm))
  return new Form({
    ...placeFields(channel),
    rhythm: new Field({
      label: 'Repeat',
      schema: z.enum(rhythms),
      element: (id) => select(id, options, schedule?.rhythm ?? rhythms[0]),
    }),
    time: time('Time', schedule?.time ?? '09:00', { hint: "In the channel's time zone." }),
  })
}

/** @param channel preselected */
export const scheduleInputs = (
  { info, inputs }: ScheduleKind,
  channel: string,
  schedule: ScheduleDraft | undefined,
) => [...createScheduleForm(info, channel, schedule).inputs(), ...inputs(schedule)]

/** @throws {ForgedValueError} */
export function readSchedule(
  view: ViewPayload,
  { info, readInputs }: ScheduleKind,
  person: string,
): { readonly draft: ScheduleDraft } | { readonly errors: Errors } {
  const { values, errors } = createScheduleForm(info, '').read(view)
  if (!values) return { errors }
  const { rhythm, time: at } = values
  const read = readPlace(values, person)
  return 'errors' in read ? read : { draft: { channel: read.place, rhythm, time: at, ...readInputs(view) } }
}
