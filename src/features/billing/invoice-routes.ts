import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { textAnswer } from '../../slack/answers/answer.ts'
import { failedInvoicesText } from '../../slack/answers/error-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import { confirmModal, invoicesModal, readConfirm } from './invoice-modal.ts'

const claimedForMs: Milliseconds = 30 * 24 * 60 * 60_000
const title = 'Invoice operation'
export const disabled =
  'The invoice operation is switched off here. Whoever runs Callboard can switch it on with `INVOICE_OPERATION=on`.'
const notice = (text: string) => noticeModal(text, { title })
export const usageModal = notice(
  'Write the customer too: `/billing invoices CUSTOMER-ID`. You are asked to confirm it then.',
)
export const runAlreadyModal = notice(
  'This was run already, once. The audit log (`/billing audit`) says when.',
)
export const slow = {
  title,
  waiting: 'Running… the telephony service takes its time.',
  failed: 'Something went wrong on our side. The audit log says whether it was sent.',
  note: 'the invoice operation failed',
}

/** `/billing invoices CUSTOMER-ID`: described by the service as deleting the customer, so it is sent once per confirmation. */
export function invoices({ config, store, workspaces, telephony, audit, now }: Services): FeatureRoutes {
  const command = { command: 'billing', word: 'invoices', needs: 'admin' } as const
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
    await audit.record(actor, 'invoice operation', `customer ${customerId}`)
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
          const customerId = words.map(({ written }) => written).join(' ')
          const isId = words.length === 1 && customerId.length <= 100
          return isId ? confirmModal(actor.team, channel, customerId) : usageModal
        },
      },
    ],
    submissions: [
      {
        view: VIEWS.invoices,
        needs: 'admin',
        slow,
        async handle(interaction, view) {
          const { customerId, isConfirmed } = readConfirm(view)
          if (!isConfirmed) return { errors: { again: `This is not ${customerId}.`.slice(0, 200) } }
          const running = results.get(view.id) ?? run(interaction, customerId, view.id)
          results.set(view.id, running)
          return { view: await running }
        },
      },
    ],
  }
}
