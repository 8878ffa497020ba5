import {
  confirmModal,
  customerModal,
  invoicesModal,
  title,
} from '../../../src/features/billing/invoice-modal.ts'
import { disabled, notAnIdText, runAlreadyModal, slow } from '../../../src/features/billing/invoice-routes.ts'
import { failedInvoicesText } from '../../../src/features/billing/invoice-texts.ts'
import { noticeModal } from '../../../src/slack/deliver/modals.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
} from '../../../src/telephony/errors.ts'
import type { Invoice } from '../../../src/telephony/types.ts'
import { type FeatureSample, modal, slowModals, text } from './sample.ts'
import { day, support, team } from './setting.ts'

const customer = 'C-7301'

const invoice = (index: number): Invoice => ({
  id: String(730100 + index),
  day: day(`2026-${String(10 - (index % 10)).padStart(2, '0')}-01`),
  amount: `$${38 + index}.00`,
  status: index === 0 ? 'Pending' : 'Proccessed',
  url: `https://invoices.example.com/${730100 + index}.pdf`,
})
const ofMonths = Array.from({ length: 5 }, (_, index) => invoice(index))
const many = Array.from({ length: 64 }, (_, index) => invoice(index))

const failures: readonly (readonly [name: string, error: Error])[] = [
  ['the key and secret are not accepted', new CredentialsRejectedError('invoices')],
  ['refused', new RequestRefusedError('invoices')],
  ['too many requests', new RateLimitedError('invoices', undefined)],
  ['the answer was lost', new ServiceUnavailableError('invoices', 'timeout', { sent: true })],
  ['not reached', new ServiceUnavailableError('invoices', 'connection', { sent: false })],
]

export const invoices: readonly FeatureSample[] = [
  modal('Which customer', customerModal(team, support, '')),
  modal('Which customer, something that is no id', customerModal(team, support, 'C 7301'), {
    customer: notAnIdText,
  }),
  modal('Confirmation', confirmModal(team, support, customer)),
  modal('Confirmation, another id typed', confirmModal(team, support, customer), {
    again: `This isn't ${customer}.`,
  }),
  ...slowModals('Running', slow),
  modal('Result', invoicesModal(customer, ofMonths)),
  modal('Result, more than are shown', invoicesModal(customer, many)),
  modal('Result without invoices', invoicesModal(customer, [])),
  modal('Run before', runAlreadyModal),
  ...failures.map(([name, error]) =>
    modal(`Failed: ${name}`, noticeModal(failedInvoicesText(error, customer) ?? '', { title })),
  ),
  text('Switched off', disabled),
]
