import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  confirmForm,
  confirmModal,
  customerForm,
  customerModal,
  invoicesModal,
  isCustomerId,
  readConfirm,
  readCustomer,
  title,
} from './invoice-modal.ts'
import { failedInvoicesText } from './words.ts'

const claimedForMs: Milliseconds = 30 * 24 * 60 * 60_000
export const disabled =
  'Deleting customers is turned off here. Whoever runs Callboard can turn it on with `INVOICE_OPERATION=on`.'
const notice = (text: string) => noticeModal(text, { title })
const runAlreadyModal = notice('This was sent already, once. The audit log says when, and by whom.')

/** `/billing invoices CUSTOMER-ID`: described by the service as deleting the customer, so it is sent once per confirmation. */
export function invoices({ config, store, workspaces, telephony, audit, now }: Services): FeatureRoutes {
  const command = { command: 'billing', word: 'invoices', moreWords: 'read', needs: 'admin' } as const
  if (!config.invoiceOperation)
    return { commands: [{ ...command, handle: async () => textAnswer(disabled) }] }
  /** By the view's id: a second submission of the same modal sees what the first one came to. */
  const results = new BoundedMap<Promise<types.ModalView>>({ max: 200, ttlMs: 10 * 60_000, now })

  async function run(interaction: Interaction, customerId: string, viewId: string): Promise<types.ModalView> {
    const { actor, tenant } = interaction
    const account = await workspaces.account(tenant)
    if (!(await store.claims.claim('invoices', scopedKey(tenant, viewId), claimedForMs))) {
      return runAlreadyModal
    }
    // Noted before it is sent: whatever becomes of it, who did it is known.
    await audit.record(actor, 'invoice operation', { detail: `customer ${customerId}` })
    try {
      return invoicesModal(customerId, await telephony.invoices(account, customerId))
    } catch (error) {
      const text = failedInvoicesText(error, customerId)
      if (text === undefined) throw error
      return notice(text)
    }
  }

  return {
    commands: [
      {
        ...command,
        async openModal({ actor, channel }, words) {
          const written = words.map((word) => word.written).join(' ')
          const modalOf = isCustomerId(written) ? confirmModal : customerModal
          return modalOf(actor.team, channel, written)
        },
      },
    ],
    submissions: [
      {
        view: customerForm,
        needs: 'admin',
        async handle({ actor, channel }, view) {
          const { values, errors } = readCustomer(view)
          if (!values) return { errors }
          return { view: confirmModal(actor.team, channel, values.customer) }
        },
      },
      {
        view: confirmForm.id,
        needs: 'admin',
        waiting: 'Deleting… the phone service is taking its time.',
        async handle(interaction, view) {
          const { customerId, errors } = readConfirm(view)
          if (errors) return { errors }
          const running = results.get(view.id) ?? run(interaction, customerId, view.id)
          results.set(view.id, running)
          return { view: await running }
        },
      },
    ],
  }
}
