import type { types } from '@slack/bolt'
import { z } from 'zod'
import { context, cut, escapeText, mrkdwn, section } from '../../slack/blocks/blocks.ts'
import { MetadataModal, modal, noticeId } from '../../slack/blocks/inputs.ts'
import { text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { Invoice } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'

export const title = 'Delete customer?'
const longestId = 100

export const customerForm = 'billing.invoices.customer'
export const confirmForm = new MetadataModal(
  'billing.invoices',
  z.object({ customerId: z.string().min(1).max(longestId) }),
)

/** One word, as far as anybody knows what ids look like. */
export const isCustomerId = (written: string): boolean => /^\S+$/.test(written) && written.length <= longestId

const customerFormOf = (written: string) =>
  new Form({
    customer: text('Customer ID', {
      longest: longestId,
      initial: cut(written, longestId),
      hint: 'Nothing is sent yet: you confirm it next.',
    }).checked((id) =>
      isCustomerId(id) ? undefined : "A customer's ID is one word of up to 100 characters.",
    ),
  })

/** Asks for the customer, where the command named none, or something that is no id. Pure. */
export const customerModal = (team: Tenant, channel: string, written: string): types.ModalView =>
  modal({
    id: customerForm,
    origin: { team, channel },
    title,
    submit: 'Continue…',
    blocks: customerFormOf(written).inputs(),
  })

/** @throws {ForgedValueError} */
export const readCustomer = (view: ViewPayload) => customerFormOf('').read(view)

const confirmFormOf = (customer: string) =>
  new Form({
    again: text(`Type ${customer} to confirm`, {
      longest: longestId,
      hint: 'It is sent once. The audit log records that you did it.',
    }).checked((again) => (again === customer ? undefined : `This isn't ${customer}.`)),
  })

/** Asks for the customer's id once more, after saying what the service says that this does. Pure. */
export const confirmModal = (team: Tenant, channel: string, customerId: string): types.ModalView =>
  confirmForm.view(
    { team, channel },
    { customerId },
    {
      title,
      submit: 'Delete customer',
      blocks: [
        {
          type: 'alert',
          level: 'error',
          text: mrkdwn(
            `The phone service documents this as permanently deleting customer ${escapeText(customerId)}. It also returns their invoices. This can't be undone.`,
          ),
        },
        ...confirmFormOf(customerId).inputs(),
      ],
    },
  )

/** The customer, whose id was typed again unless there are errors. @throws {ForgedValueError} */
export function readConfirm(view: ViewPayload) {
  const { customerId } = confirmForm.read(view)
  return { customerId, errors: confirmFormOf(customerId).read(view).errors }
}

const isLink = (url: string) => URL.canParse(url) && /^https?:\/\/[^\s|<>]+$/.test(url) && url.length <= 1000

function lineOf({ id, day, amount, status, url }: Invoice): string {
  const on = typeof day === 'string' ? dayLabel(day) : day.raw
  const link = isLink(url) ? ` · <${escapeText(url)}|Open>` : ''
  return `• ${escapeText([id, on, amount, status].map((text) => cut(text || '–', 60)).join(' · '))}${link}`
}

/** What the operation returned. */
export function invoicesModal(customer: string, invoices: readonly Invoice[]): types.ModalView {
  const first = invoices.slice(0, 60)
  const parts = [0, 20, 40].map((from) => first.slice(from, from + 20)).filter((part) => part.length > 0)
  const count =
    invoices.length === 0
      ? 'no invoices'
      : invoices.length === 1
        ? '1 invoice'
        : `${invoices.length} invoices`
  const done = `Done: the phone service carried it out for customer *${escapeText(customer)}* and returned ${count}.`
  return modal({
    id: noticeId,
    title: 'Invoices',
    blocks: [
      section(done),
      ...parts.map((part) => section(part.map(lineOf).join('\n'))),
      ...(invoices.length > first.length ? [context(`The first ${first.length} are shown.`)] : []),
    ],
  })
}
