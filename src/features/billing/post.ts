import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { findPermalink, postMessage } from '../../slack/api/web-api.ts'
import { escapeText, isDirectConversation, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { attributed, type MessageVariants } from '../../slack/deliver/answers.ts'
import { offerOnFailure, plainChannelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { messageModal, modalBlocks } from '../../slack/deliver/modals.ts'
import { refuseChannel } from '../../slack/deliver/posting-channel.ts'
import { channelField, checkboxesField } from '../../slack/forms/fields.ts'
import { enteredIn, Form } from '../../slack/forms/form.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { joinWords } from '../../slack/routing/split-words.ts'
import { channelWord } from '../../slack/routing/words.ts'
import { scopedKey, type TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/types.ts'
import type { Billing } from '../../telephony/wire.ts'
import { localDay } from '../../time/zones.ts'
import { withMentionNames } from '../../util/mentions.ts'
import { cleanTyped } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'
import {
  billExtra,
  type DuePost,
  type Schedule,
  type ScheduleKind,
  ScheduleRows,
} from '../subscriptions/schedule.ts'
import { postActions } from './actions.ts'
import { toPostedBill } from './figures.ts'
import { billingPost, billingSchedule, extraOptions, postButton } from './view.ts'

const POST_VIEW = 'billing.post'

const includeSchema = z.array(billExtra).max(2).catch([])
type Include = z.infer<typeof includeSchema>

const includeField = (include: Include, redraw?: typeof postActions.include) =>
  checkboxesField('Also show', billExtra, extraOptions, include, { redraw })

const createPostForm = (channel: string, include: Include) =>
  new Form({ channel: channelField(channel), include: includeField(include, postActions.include) })

const postNotice = (mrkdwn: string) => messageModal(mrkdwn, { title: 'Post billing' })

class BillPostModal {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** @param note mrkdwn */
  open(interaction: Interaction, channel = interaction.channel, note = ''): Promise<types.ModalView> {
    const name = channel === interaction.channel ? interaction.channelName : ''
    const form = createPostForm(isDirectConversation(channel, name) ? '' : channel, [])
    const inputs: types.ModalView['blocks'] = form.inputs()
    if (note !== '') inputs.unshift(section(note))
    const makeOffers = () => ({ retry: postButton, request: 'the billing details' })
    return offerOnFailure(makeOffers, this.#render(interaction, [], inputs))
  }

  async openFromCommand({ interaction, words }: CommandRequest): Promise<types.ModalView> {
    const [word, ...rest] = words
    if (!word) return this.open(interaction)
    const written = joinWords(words)
    const [, name] =
      /^#?([\p{L}\p{M}\p{N}_-]{1,80})$/u.exec(cleanTyped(written).normalize('NFC').toLowerCase()) ?? []
    const mentioned = rest.length === 0 ? channelWord(word) : undefined
    const channel = mentioned ?? (name && (await this.#services.channels.findByName(interaction.actor, name)))
    if (channel) return this.open(interaction, channel)
    const shown = escapeText(withMentionNames(written))
    return this.open(interaction, '', `I couldn't find a channel named "${shown}". Choose one.`)
  }

  /** Shows the preview with what was ticked. */
  async redraw(interaction: Interaction, click: Click): Promise<undefined> {
    if (!click.view) return
    const entered = enteredIn(click.view)
    const include = includeSchema.parse(entered['include'])
    const view = await this.#render(interaction, include, createPostForm('', include).inputs(entered))
    await this.#services.modals.redraw(interaction.actor, click, view)
  }

  async #buildPost({ actor, tenant }: Interaction, include: Include) {
    const { workspaces, telephony } = this.#services
    const billing = await telephony.billing(await workspaces.account(tenant))
    return attributed(billingPost(billing, include), actor.person.name)
  }

  async #render(
    interaction: Interaction,
    include: Include,
    inputs: types.ModalView['blocks'],
  ): Promise<types.ModalView> {
    const post = await this.#buildPost(interaction, include)
    return modal({
      id: POST_VIEW,
      title: 'Post billing',
      origin: { workspace: interaction.actor.workspace, channel: interaction.channel },
      submit: 'Post',
      blocks: [
        ...inputs,
        { type: 'divider' },
        section('*Preview.* Everyone in the channel will see this. Tables are shown as text here.'),
        ...(modalBlocks(post) ?? []),
      ],
    })
  }

  async submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { channels, store } = this.#services
    const { actor, tenant } = interaction
    const { values, errors } = createPostForm('', []).read(view)
    if (errors) return { errors }
    const { channel, include } = values
    const refusal = await refuseChannel(channels, interaction, channel)
    if (refusal !== undefined) return { errors: { channel: refusal } }
    const post = await this.#buildPost(interaction, include)
    // The channel may have been shared with another company while the service was read.
    const lateState = await channels.state(actor, channel)
    if (lateState !== 'ok') return { errors: { channel: plainChannelRefusal(lateState) } }
    if (!(await store.claim('post', scopedKey(tenant, view.id), dayMs)))
      return { view: postNotice(`Already posted. Look in <#${channel}>.`) }
    return { view: postNotice(await this.#send(interaction, channel, post)) }
  }

  /** Returns a sentence about the result in mrkdwn. */
  async #send({ actor }: Interaction, channel: string, post: MessageVariants): Promise<string> {
    const { delivery, webApi, audit, metrics } = this.#services
    const { botToken } = actor.installation
    const result = await delivery.send(post, actor.workspace, ({ message }) =>
      postMessage(webApi, botToken, channel, message),
    )
    metrics.count('billing_posts_total', { how: 'by-hand', outcome: result.kind })
    if (result.kind === 'refused' || result.kind === 'not-now')
      return `Nothing was posted. ${unsentText(result)}`
    const isSent = result.kind === 'sent'
    await audit.record(actor, 'posted the bill', { channel, detail: isSent ? '' : 'not confirmed by Slack' })
    if (!isSent)
      return `Slack didn't respond in time, so the post may or may not be there. Look in <#${channel}> before you post again.`
    const { ts = '', channel: conversation } = result
    const link = await findPermalink(this.#services, botToken, { channel: conversation, ts })
    return `Posted in <#${channel}>.${link === undefined ? '' : ` <${escapeText(link)}|View post>`}`
  }
}

export function billPosts(services: Services): FeatureRoutes {
  const posts = new BillPostModal(services)
  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        moreWords: 'read',
        needs: 'billing',
        opensModal: true,
        handle: (request) => posts.openFromCommand(request),
      },
    ],
    actions: bind(postActions, {
      channel: {
        needs: 'billing',
        replacesOriginal: false,
        opensModal: true,
        handle: ({ interaction }) => posts.open(interaction),
      },
      include: {
        needs: 'billing',
        handle: ({ interaction, click }) => posts.redraw(interaction, click),
      },
    }),
    submissions: [
      {
        view: POST_VIEW,
        needs: 'billing',
        handle: ({ interaction, view }) => posts.submit(interaction, view),
      },
    ],
  }
}

const readBillingDay = ({ nextBillingDay: day }: Billing): Pick<Schedule, 'billingDay'> =>
  typeof day === 'string' ? { billingDay: day } : {}

/** Checks the stored billing date, too, because on that day the service may already name the next one. */
function shouldPost({ schedule, slot: { day } }: DuePost, billing?: Billing): boolean {
  if (schedule.rhythm !== 'billing-date') return true
  return day === schedule.billingDay || day === billing?.nextBillingDay
}

export function billingSchedules({ store, telephony, workspaces, metrics, now }: Services): ScheduleKind {
  const getBilling = async (tenant: TenantKey) => telephony.billing(await workspaces.account(tenant))

  return {
    info: billingSchedule,
    rows: new ScheduleRows(store.database, 'schedules'),
    queue: 'billing-posts',
    fields: (schedule) => ({ include: includeField(schedule?.include ?? []) }),
    async readDetails(tenant, { rhythm }) {
      if (rhythm !== 'billing-date') return {}
      try {
        return readBillingDay(await getBilling(tenant))
      } catch (error) {
        // Optional: the schedule keeps the date that it has, and each run stores the date.
        if (error instanceof TelephonyError) return {}
        throw error
      }
    },
    async load(due) {
      const billing = await getBilling(due.tenant)
      const dateChange = readBillingDay(billing)
      const { include = [], postedBill } = due.schedule
      if (!shouldPost(due, billing)) return { post: undefined, changes: dateChange }
      // A late post shows the bill of the day on which it is sent.
      const day = localDay(due.zone, new Date(now()))
      const changes = { ...dateChange, postedBill: toPostedBill(billing, day) }
      return { post: billingPost(billing, include, { day, last: postedBill }), changes }
    },
    isMissed: (due) => shouldPost(due),
    missedPostCommand: ({ schedule: { channel } }) =>
      isPersonId(channel)
        ? { id: 'billing', text: 'Show bill', command: '/billing' }
        : { id: 'post', text: 'Post now…', command: `/billing post <#${channel}>` },
    count: (outcome) => metrics.count('billing_posts_total', { how: 'scheduled', outcome }),
  }
}
