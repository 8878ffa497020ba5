import { z } from 'zod'
import type { Audit } from '../../slack/access/audit.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import { type Interaction, type Tool, tool } from '../../slack/routing/routes.ts'
import { type Bill, renderBill } from './view.ts'

const showBilling = new ToolAction('show_billing', z.strictObject({}))

export const billingTools = (
  load: (interaction: Interaction) => Promise<Bill>,
  audit: Audit,
): readonly Tool[] => [
  tool(
    showBilling,
    {
      needs: 'billing',
      title: 'Show the bill',
      description:
        "Shows what the company's phone account costs a month: its items, the total, the next billing date and how it is paid. Only for people who can see billing. It shows today's bill only: no earlier bills and no invoices.",
    },
    async (interaction) => {
      const bill = await load(interaction)
      // Recorded before it is shown.
      await audit.record(interaction.actor, 'view billing', { detail: 'through Slackbot' })
      return renderBill(bill, [])
    },
  ),
]
