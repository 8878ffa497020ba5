import type { types } from '@slack/bolt'
import { z } from 'zod'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, cut, escapeText, section } from '../../slack/blocks/blocks.ts'
import { input, modal } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Invoice } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'

/** Asks for the customer's id once more, after saying what the service says that this does. */
export function confirmModal(team: Tenant, channel: string, customerId: string): types.ModalView {
  return modal({
    id: VIEWS.invoices,
    metadata: writeOrigin(team, channel, { customerId }),
    title: 'Invoice operation',
    submit: 'Run it',
    blocks: [
      {
        type: 'alert',
        level: 'error',
        text: {
          type: 'mrkdwn',
          text: `The telephony service describes this operation as *deleting the customer and the customer's details*. It returns the customer's invoices. It can't be taken back.`,
        },
      },
      section(`Customer: *${escapeText(customerId)}*`),
      input(
        'again',
        'Type the customer id again',
        { type: 'plain_text_input', action_id: 'again', max_length: 100 },
        { hint: 'It is sent once, and who sent it goes to the audit log.' },
      ),
    ],
  })
}

const metadata = z.object({ customerId: z.string().min(1).max(100) })
const form = z.object({ again: z.string().trim() })

/** The customer, and whether the id was typed again. @throws {ForgedValueError} */
export function readConfirm(view: ViewPayload) {
  const { customerId } = readMetadata(view, metadata)
  return { customerId, isConfirmed: readForm(view, form).again === customerId }
}

const isLink = (url: string) => URL.canParse(url) && /^https?:\/\/[^\s|<>]+$/.test(url) && url.length <= 1000

function lineOf({ id, day, amount, status, url }: Invoice): string {
  const on = typeof day === 'string' ? dayLabel(day) : day.raw
  const link = isLink(url) ? ` · <${escapeText(url)}|Open>` : ''
  return `• ${escapeText([id, on, amount, status].map((text) => cut(text || '–', 60)).join(' · '))}${link}`
}

/** What the operation returned. */
export function invoicesModal(customerId: string, invoices: readonly Invoice[]): types.ModalView {
  const first = invoices.slice(0, 60)
  const parts = [0, 20, 40].map((from) => first.slice(from, from + 20)).filter((part) => part.length > 0)
  const count = invoices.length === 1 ? '1 invoice' : `${invoices.length} invoices`
  const done = `The operation was carried out for customer *${escapeText(customerId)}*. It returned ${count}.`
  return modal({
    id: VIEWS.notice,
    title: 'Invoices',
    blocks: [
      section(done),
      ...parts.map((part) => section(part.map(lineOf).join('\n'))),
      ...(invoices.length > first.length ? [context(`Only the first ${first.length} are shown.`)] : []),
    ],
  })
}
