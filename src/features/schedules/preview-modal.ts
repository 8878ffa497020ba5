import type { types } from '@slack/bolt'
import { z } from 'zod'
import { slotAfter } from '../../scheduler/due-times.ts'
import type { KindInfo } from '../../scheduler/kinds.ts'
import { scheduleText } from '../../scheduler/schedule-text.ts'
import { type Block, context, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { formOrigin } from '../../slack/deliver/form-origin.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import { scheduleDraft } from '../../store/schedules.ts'
import type { Tenant } from '../../store/tenant.ts'
import { instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { titleOf } from './modal.ts'
import type { FilledForm } from './save.ts'

const metadata = z.object({ draft: scheduleDraft, origin: formOrigin, newId: z.string() })

/** What would be posted now, and what is saved where the person agrees to it. Pure. */
export function previewModal(
  info: KindInfo,
  shown: {
    readonly team: Tenant
    /** Where the form was opened. */
    readonly channel: string
    readonly filled: FilledForm
    readonly zone: Zone
    readonly blocks: readonly Block[]
    readonly now: Date
  },
): types.ModalView {
  const { team, channel, filled, zone, blocks, now } = shown
  const { draft } = filled
  const { at } = slotAfter(draft, zone, now)
  return modal({
    id: info.preview ?? info.form,
    metadata: writeOrigin(team, channel, metadata.parse(filled)),
    title: titleOf(info),
    submit: 'Save',
    blocks: [
      section(`*Not saved yet.* ${scheduleText(draft, zone)}`),
      context(
        `${filled.origin.id === undefined ? 'First' : 'Next'} post: ${instantLabel(zone, at, now)}. This is what it would be now:`,
      ),
      { type: 'divider' },
      ...blocks,
    ],
  })
}

/** What is saved. @throws {ForgedValueError} */
export const readPreviewed = (view: ViewPayload): FilledForm => readMetadata(view, metadata)
