import { randomUUID } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import type { Metrics } from '../../metrics.ts'
import type { Audit } from '../../slack/access/audit.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import type { Answer } from '../../slack/answers/table-support.ts'
import { type Channels, channelRefusal } from '../../slack/api/channels.ts'
import { type Delivery, deliver } from '../../slack/api/post-message.ts'
import { attribution, escapeText, section } from '../../slack/blocks/blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { ActionRoute, CommandRoute, Interaction } from '../../slack/routing/routes.ts'
import type { Store } from '../../store/store.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import {
  digestOf,
  type PostPlan,
  postMessage,
  previewMessage,
  readPlanWithDigest,
  readTicked,
} from './post.ts'

export interface PostDeps {
  readonly store: Store
  readonly workspace: Workspace
  readonly telephony: TelephonyClient
  readonly channels: Channels
  readonly webApi: WebClient
  readonly audit: Audit
  readonly metrics: Pick<Metrics, 'post'>
}

const claimedForMs = 24 * 60 * 60_000
const said = (text: string): Answer => ({ message: { text, blocks: [section(text)] } })

/** `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
const channelWord = (word: Word | undefined): string | undefined =>
  word?.key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.value ?? '')?.[1] : undefined

function undelivered(delivery: Exclude<Delivery, { kind: 'sent' }>, channel: string): string {
  switch (delivery.kind) {
    case 'refused':
      return `Slack refused the post (${escapeText(delivery.code)}). Nothing was posted.`
    case 'not-now':
      return 'Slack takes no post right now. Nothing was posted; `/billing post` tries again.'
    case 'unknown':
      return `Slack did not answer in time, so it may have been posted. Look in <#${channel}> before you post again.`
  }
}

/** `/billing post`: a preview for one person, then a message for a channel. */
export function postRoutes(deps: PostDeps): {
  commands: readonly CommandRoute[]
  actions: readonly ActionRoute[]
} {
  const { store, workspace, telephony, channels, webApi, audit, metrics } = deps

  const billingOf = async ({ tenant }: Interaction) => telephony.billing(await workspace.account(tenant))

  async function preview(interaction: Interaction, plan: PostPlan, note?: string): Promise<Answer> {
    const { visitor } = interaction
    const state = await channels.state(visitor.installation, plan.channel)
    if (state !== 'ok') return said(channelRefusal(state, plan.channel))
    return { message: previewMessage(await billingOf(interaction), plan, visitor.person.id, note) }
  }

  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        needs: 'billing',
        async handle(interaction, [word, ...more]) {
          const channel = word === undefined ? interaction.channel : channelWord(word)
          if (channel === undefined || more.length > 0) {
            const written = [word, ...more].map((one) => one?.written ?? '').join(' ')
            return said(
              `Nothing was posted: "${escapeText(written)}" is no channel. Write \`/billing post\` for this one, or \`/billing post #channel\` with a channel that Slack suggests.`,
            )
          }
          interaction.offerRetry({ asked: 'the billing details' })
          return preview(interaction, { channel, nonce: randomUUID(), include: [] })
        },
      },
    ],
    actions: [
      {
        action: 'billing.post.include',
        needs: 'billing',
        handle: (interaction, { block_id, selected_options }) =>
          preview(
            interaction,
            readTicked(
              block_id,
              (selected_options ?? []).map(({ value }) => value),
            ),
          ),
      },
      { action: 'billing.post.cancel', needs: 'member', handle: async () => said('Nothing was posted.') },
      {
        action: 'billing.post.send',
        needs: 'billing',
        async handle(interaction, { value }) {
          const { digest, ...plan } = readPlanWithDigest(value)
          const { tenant, visitor } = interaction
          const { channel, nonce } = plan
          const state = await channels.state(visitor.installation, channel)
          if (state !== 'ok') return said(channelRefusal(state, channel))
          const message = postMessage(await billingOf(interaction), plan.include)
          if (digestOf(message) !== digest) {
            return preview(
              interaction,
              { ...plan, nonce: randomUUID() },
              'The figures have changed since. Look again, please.',
            )
          }
          if (!(await store.claims.claim('post', scopedKey(tenant, nonce), claimedForMs))) {
            return said(
              `This preview was used already: look in <#${channel}>. \`/billing post\` makes another one.`,
            )
          }
          const blocks = [...message.blocks, attribution(visitor.person.id, 'Posted')]
          const { botToken } = visitor.installation
          const delivery = await deliver(webApi, botToken, channel, { ...message, blocks })
          metrics.post('by-hand', delivery.kind)
          if (delivery.kind !== 'sent') return said(undelivered(delivery, channel))
          await audit.record(interaction, 'post billing', `channel ${channel}`)
          return said(`Posted to <#${channel}>.`)
        },
      },
    ],
  }
}
