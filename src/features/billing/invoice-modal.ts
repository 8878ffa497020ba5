import type { types } from '@slack/bolt'
import { z } from 'zod'
import { context, cut, escapeText, plain, section } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/errors.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/view-metadata.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Invoice } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'

export const INVOICES_VIEW = 'billing.invoices'

/** Asks for the customer's id once more, after saying what the service says that this does. */
export function confirmModal(tenant: Tenant, channel: string, customerId: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: INVOICES_VIEW,
    private_metadata: writeOrigin(tenant, channel, { customerId }),
    title: plain('Invoice operation', 24),
    submit: plain('Run it', 24),
    close: plain('Cancel', 24),
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
      {
        type: 'input',
        block_id: 'again',
        label: plain('Type the customer id again', 2000),
        hint: plain('It is sent once, and who sent it goes to the audit log.', 2000),
        element: { type: 'plain_text_input', action_id: 'again', max_length: 100 },
      },
    ],
  }
}

const metadata = z.object({ customerId: z.string().min(1).max(100) })
const values = z.object({ again: z.object({ again: z.object({ value: z.string() }) }) })

/** @returns what was asked for, and whether it was typed again @throws {ForgedValueError} */
export function readConfirm(view: ViewPayload): {
  readonly customerId: string
  readonly isConfirmed: boolean
} {
  const { customerId } = readMetadata(view, metadata)
  const typed = values.safeParse(view.state?.values)
  if (!typed.success) throw new ForgedValueError('the values of the invoice modal')
  return { customerId, isConfirmed: typed.data.again.again.value.trim() === customerId }
}

const isLink = (url: string) => URL.canParse(url) && /^https?:\/\/[^\s|<>]+$/.test(url) && url.length <= 1000

function lineOf({ id, day, amount, status, url }: Invoice): string {
  const on = typeof day === 'string' ? dayLabel(day) : day.raw
  const link = isLink(url) ? ` · <${escapeText(url)}|Open>` : ''
  return `• ${escapeText([id, on, amount, status].map((text) => cut(text || '–', 60)).join(' · '))}${link}`
}

/** What the operation returned. */
export function invoicesModal(customerId: string, invoices: readonly Invoice[]): types.ModalView {
  const shown = invoices.slice(0, 60)
  const parts = [0, 20, 40].map((from) => shown.slice(from, from + 20)).filter((part) => part.length > 0)
  const count = invoices.length === 1 ? '1 invoice' : `${invoices.length} invoices`
  return {
    type: 'modal',
    callback_id: 'notice',
    title: plain('Invoices', 24),
    close: plain('Close', 24),
    blocks: [
      section(
        `The operation was carried out for customer *${escapeText(customerId)}*. It returned ${count}.`,
      ),
      ...parts.map((part) => section(part.map(lineOf).join('\n'))),
      ...(invoices.length > shown.length ? [context(`Only the first ${shown.length} are shown.`)] : []),
    ],
  }
}
