import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Word } from '../../grammar/words.ts'
import {
  type ChangedBy,
  MOST_PLANNED,
  type OfPlanned,
  type PlannedChange,
  type PlannedKind,
  type PlannedRecord,
  plannedChanges,
} from '../../planned/kind.ts'
import type { Services } from '../../services.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { actionRow, escapeText, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { unknownWordsMessage } from '../../slack/blocks/command-button.ts'
import { modalWithMetadata } from '../../slack/blocks/inputs.ts'
import { ForgedValueError, readMetadata } from '../../slack/blocks/values.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { type ClickPlace, clickPlace } from '../../slack/deliver/clicks.ts'
import { notInChannelText, plainChannelRefusal } from '../../slack/deliver/failures.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { enteredIn } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { channelWord } from '../../slack/routing/commands.ts'
import {
  type ActionHandler,
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { deleteModal, muteEntries, plannedMessage } from './view.ts'

/** The list that a form was opened from: it shows what was saved. */
type ListPlace = ClickPlace & { readonly page: number }

/** What a form goes on with, whatever is chosen in it. */
const formOrigin = z.object({
  id: z.string().max(40).optional(),
  list: clickPlace.extend({ page: z.number() }).optional(),
})

/** The list that a button is in; none: it is in no message that could show it anew. */
const listOf = (place: ClickPlace, page: number | undefined): ListPlace | undefined =>
  place.responseUrl === undefined || page === undefined ? undefined : { ...place, page }

/** What somebody filled in, and of which one it is. */
interface Filled<Draft> {
  readonly draft: Draft
  readonly origin: z.infer<typeof formOrigin>
  /** Of a new one, so that a second submission of the same modal makes no second one. */
  readonly newId: string
}

/** What any administrator may do, as the audit log calls it: it stops what was planned. */
const stops: readonly string[] = ['deleted', 'paused', 'muted']

const previewMetadata = z.object({ draft: z.unknown(), origin: formOrigin, newId: z.string() })
const chosenChannel = z.object({ channel: z.string().optional() })

/**
 * What is planned of one kind: its list, its form, and what can be done about each. Each kind has routes of its own: its ids
 * lead to what is its own alone, and what its routes need is what it takes to manage that.
 */
export function planned<T extends PlannedRecord, Draft extends { readonly channel: string }>(
  { workspaces, guards, channels, modals, audit, homeTab, now }: Services,
  kind: PlannedKind<T, Draft>,
): FeatureRoutes {
  const { info, rows, preview } = kind
  const previewId = `${info.form}.preview`
  const { needs, command, word, title } = info
  const notFound = `That ${word} was already deleted.`
  const unreadText = (count: number) =>
    count === 1
      ? `⚠ 1 ${info.longWord} can't be read, so nothing is posted by it. Set it up again: the log names its row.`
      : `⚠ ${count} ${info.longWord}s can't be read, so nothing is posted by them. Set them up again: the log names their rows.`
  const existing = `This ${word} already exists: see /${command} ${word}s.`
  const notInIt = (channel: string) => {
    const who = isPersonId(channel)
      ? `Only <@${channel}> can`
      : `You and Callboard must both be in <#${channel}> to`
    return `${who} do that. An administrator can pause or delete this ${word} without that.`
  }
  const full = `This workspace has ${MOST_PLANNED} ${info.longWord}s, the most it can have. Delete one first.`
  const waiting = 'Saving…'
  /** In the form's place. */
  const notice = (text: string) => noticeModal(text, { title })

  async function show({ tenant }: Interaction, page = 1, said?: string): Promise<Answer> {
    const [listed, malformed] = await Promise.all([kind.list(tenant), rows.countMalformed(tenant)])
    const all = listed.toSorted((one, other) => one.at - other.at)
    const unread = malformed === 0 ? undefined : unreadText(malformed)
    const notes = [said, unread].filter((one) => one !== undefined).join('\n')
    const nonce = randomUUID().slice(0, 8)
    return { message: plannedMessage(info, all, { page, nonce, note: notes || undefined }) }
  }

  const isInChannel = async (
    { actor: { installation, person }, channel: here }: Interaction,
    channel: string,
  ) => {
    if (isPersonId(channel)) return channel === person.id
    return channel === here || (await channels.hasMember(installation, channel, person.id))
  }

  /** Whoever is in its channel; what only stops it, its owner and administrators too. */
  const mayChange = async (interaction: Interaction, { channel, owner }: T, audited: string) =>
    (stops.includes(audited) && owner === interaction.actor.person.id) ||
    (await isInChannel(interaction, channel)) ||
    (stops.includes(audited) && (await guards.may(interaction.actor, 'admin')))

  /** @param make does it to what is there; `undefined` where somebody has done it already */
  const button = (
    audited: string,
    make: (record: T, tenant: TenantKey, by: ChangedBy) => Promise<T | undefined>,
    note: PlannedChange<T>['note'],
  ): ActionHandler<OfPlanned> => ({
    needs,
    async handle(interaction, { id, page, for: muted }, _, { view, selected_option }) {
      const [, , chosen = 'hour'] = muteEntries.find(([name]) => name === selected_option?.value) ?? []
      const length = muted ?? chosen
      const { actor, tenant } = interaction
      const before = await rows.get(tenant, id)
      const isHome = view?.type === 'home'
      const answer = async (said: string) => (isHome ? textAnswer(said) : show(interaction, page, said))
      if (before && !(await mayChange(interaction, before, audited))) return answer(notInIt(before.channel))
      const { zone } = await workspaces.zone(tenant, before?.channel ?? '')
      const by = { person: actor.person.id, zone, now: now(), length }
      const changed = before && (await make(before, tenant, by))
      const record = changed ?? before
      const words = record && (await kind.words(record))
      if (changed)
        await audit.record(actor, `${info.audit} ${audited}`, {
          channel: record?.channel,
          detail: words?.detail,
        })
      // Where somebody else has done it, the home tab shows it as it was before.
      homeTab.emit('outdated', actor)
      return answer(record && words ? note(words.name, record, by) : notFound)
    },
  })

  const changeRoutes = [...plannedChanges].flatMap(([name, audited]) => {
    const { change, note } = kind.changes[name] ?? {}
    if (!change || !note) return []
    const route = button(
      audited,
      ({ id }, tenant, by) => rows.change(tenant, id, (record) => change(record, by)),
      note,
    )
    const entries = name === 'mute' ? muteEntries.map(([entry]) => entry) : [name]
    return [
      ...bind({ route: info.changes[name] }, { route }),
      ...entries.flatMap((entry) => bind({ route: info.menu.entry(entry) }, { route })),
    ]
  })

  const isFull = async (tenant: TenantKey) => (await rows.all(tenant)).length >= MOST_PLANNED

  async function form(
    { actor: { team, person }, tenant, channel: openedIn, channelName }: Interaction,
    origin: z.infer<typeof formOrigin>,
    {
      record,
      draft,
      channel: named,
    }: { record?: T | undefined; draft?: Draft; channel?: string | undefined },
    { entered, problem }: { entered?: Readonly<Record<string, unknown>>; problem?: string } = {},
  ): Promise<types.ModalView> {
    const here = isDirectConversation(openedIn, channelName) ? '' : openedIn
    const channel = chosenChannel.parse(entered ?? {}).channel ?? (draft ?? record)?.channel ?? named ?? here
    const zone = channel === '' ? undefined : (await workspaces.zone(tenant, channel)).zone
    return modalWithMetadata(formOrigin, {
      id: info.form,
      origin: { team, channel: openedIn },
      metadata: origin,
      title,
      submit: preview ? 'Preview' : 'Save',
      blocks: [
        ...(problem === undefined ? [] : [section(`⚠ ${problem}`)]),
        ...(await kind.form({
          tenant,
          record,
          draft,
          channel,
          person: person.id,
          zone,
          entered: entered ?? {},
        })),
      ],
    })
  }

  async function open(
    interaction: Interaction,
    own: { record?: T; list?: ListPlace | undefined; channel?: string | undefined } = {},
  ) {
    // Who is not connected is told so before filling in a form.
    await workspaces.account(interaction.tenant)
    if (!own.record && (await isFull(interaction.tenant))) return notice(full)
    return form(interaction, { id: own.record?.id, list: own.list }, own)
  }

  /** What there is, with what leads to another one; where there is none, or a channel is named, the form of a new one. */
  async function listOrForm(interaction: Interaction, words: readonly Word[]) {
    const [channel] = words.map(channelWord)
    if (words.length > (channel === undefined ? 0 : 1)) {
      const written = words.map((one) => one.written)
      return { message: unknownWordsMessage(written, `/${command} ${word}`) }
    }
    const isList = channel === undefined && (await rows.all(interaction.tenant)).length > 0
    return isList ? show(interaction) : open(interaction, { channel })
  }

  /** As it is after a choice that other inputs depend on. */
  async function formAnew(interaction: Interaction, view: ViewPayload): Promise<types.ModalView> {
    const origin = readMetadata(view, formOrigin)
    const { id } = origin
    const record = id === undefined ? undefined : await rows.get(interaction.tenant, id)
    const isGone = id !== undefined && !record
    return isGone ? notice(notFound) : form(interaction, origin, { record }, { entered: enteredIn(view) })
  }

  const redrawn: ActionHandler<void> = {
    needs,
    async handle(interaction, _value, { viewId, actionTs }, { view }) {
      if (view === undefined || viewId === undefined) throw new ForgedValueError('a choice in no form')
      await modals.redraw(interaction.actor, { viewId, actionTs }, () => formAnew(interaction, view))
      return undefined
    },
  }

  /**
   * What is changed, as it is by now; or why it can't be kept. @param join for what is saved; a preview leaves the channel as it
   * is @throws {StoreError}
   */
  async function check(
    interaction: Interaction,
    { draft, origin, newId }: Filled<Draft>,
    { join }: { readonly join: boolean },
  ): Promise<{ readonly before: T | undefined } | SubmissionResult> {
    const { actor, tenant } = interaction
    const before = await rows.get(tenant, origin.id ?? newId)
    if (!before && origin.id !== undefined) return { view: notice(notFound) }
    if (!before && (await isFull(tenant))) return { view: notice(full) }
    // Whoever set it up may move it away from a channel that they have left.
    if (before && before.owner !== actor.person.id && !(await isInChannel(interaction, before.channel)))
      return { view: notice(notInIt(before.channel)) }
    const isAs = (one: T) => isDeepStrictEqual(kind.contentOf(one), kind.contentOf(draft))
    const isOther = (one: T) => one.id !== (origin.id ?? newId)
    if (!(before && isAs(before)) && (await rows.all(tenant)).some((one) => isOther(one) && isAs(one)))
      return { errors: { [isPersonId(draft.channel) ? 'where' : 'channel']: existing } }
    // Whom a kind lets be chosen is its own to check.
    if (isPersonId(draft.channel)) return { before }
    const { state, isIn } = await channels.findFor(actor, draft.channel, interaction)
    if (!isIn) return { errors: { channel: notInChannelText } }
    const isJoined = async () => !join || (await channels.join(actor.installation, draft.channel))
    if (state === 'ok' || (state === 'not-in' && (await isJoined()))) return { before }
    return { errors: { channel: plainChannelRefusal(state) } }
  }

  async function save(interaction: Interaction, filled: Filled<Draft>): Promise<SubmissionResult> {
    const { draft, origin, newId } = filled
    const checked = await check(interaction, filled, { join: true })
    if (!('before' in checked)) return checked
    const isNew = origin.id === undefined
    const saved = await kind.save(interaction, draft, { id: origin.id ?? newId, ...checked, isNew })
    if (!saved) return { view: notice(notFound) }
    if ('errors' in saved) return saved
    const { channel } = saved.record
    const { detail } = await kind.words(saved.record)
    const what = isNew ? info.audit : `${info.audit} changed`
    if (!saved.isSame) await audit.record(interaction.actor, what, { channel, detail })
    homeTab.emit('outdated', interaction.actor)
    const { list } = origin
    const beside = list && { place: list, answer: () => show(interaction, list.page) }
    return { view: notice(saved.text), beside }
  }

  async function submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant, channel } = interaction
    await workspaces.account(tenant)
    const origin = readMetadata(view, formOrigin)
    const read = await kind.read(view, tenant, actor.person.id)
    if (read === 'incomplete') return { view: await formAnew(interaction, view) }
    if ('errors' in read) return read
    const filled = { draft: read.draft, origin, newId: view.id }
    if (!preview) return save(interaction, filled)
    const checked = await check(interaction, filled, { join: false })
    if (!('before' in checked)) return checked
    const blocks = await preview.blocks(interaction, read.draft, origin.id === undefined)
    return {
      view: modalWithMetadata(previewMetadata, {
        id: previewId,
        origin: { team: actor.team, channel },
        metadata: filled,
        title,
        submit: 'Save',
        blocks: [...blocks, ...actionRow([info.back.button('Back')])],
      }),
    }
  }

  function previewRoutes({ draft: schema }: NonNullable<typeof preview>): FeatureRoutes {
    const filledIn = (view: Pick<ViewPayload, 'private_metadata'>): Filled<Draft> => {
      const { draft, ...own } = readMetadata(view, previewMetadata)
      return { ...own, draft: parsePayload(schema, draft, 'what was previewed') }
    }
    const back: ActionHandler<void> = {
      needs,
      async openModal(interaction, _value, _place, { view }) {
        if (view === undefined) throw new ForgedValueError('a way back from no preview')
        const { draft, origin } = filledIn(view)
        return form(interaction, origin, { draft })
      },
    }
    return {
      actions: bind({ back: info.back }, { back }),
      submissions: [
        {
          view: previewId,
          needs,
          waiting,
          /** What was previewed has no field that an error could stand below: it stands above the form. */
          async handle(interaction, view) {
            const filled = filledIn(view)
            const saved = await save(interaction, filled)
            if (!('errors' in saved)) return saved
            const problem = escapeText(Object.values(saved.errors).join('\n'))
            return { view: await form(interaction, filled.origin, filled, { problem }) }
          },
        },
      ],
    }
  }

  const edit: ActionHandler<OfPlanned> = {
    needs,
    async openModal(interaction, { id, page }, place) {
      const record = await rows.get(interaction.tenant, id)
      return record ? open(interaction, { record, list: listOf(place, page) }) : notice(notFound)
    },
  }

  const { actions = [], submissions = [] } = preview ? previewRoutes(preview) : {}

  return {
    ...kind.work,
    commands: [
      { command, word, moreWords: 'read', needs, openModal: listOrForm },
      { command, word: `${word}s`, needs, handle: (interaction) => show(interaction) },
    ],
    actions: [
      ...bind(
        { edit: info.menu.entry('edit'), delete: info.menu.entry('delete') },
        {
          edit,
          delete: { needs, openModal: async ({ actor }, value) => deleteModal(info, actor.team, value) },
        },
      ),
      ...bind(info.actions, {
        page: { needs, handle: (interaction, { page }) => show(interaction, page) },
        new: {
          needs,
          openModal: (interaction, { page }, place) => open(interaction, { list: listOf(place, page) }),
        },
        edit,
        delete: button(
          'deleted',
          async (record, tenant) => ((await rows.delete(tenant, record.id)) ? record : undefined),
          (name) => `Deleted: ${name}.`,
        ),
      }),
      ...changeRoutes,
      ...actions,
      ...(kind.choices ? [info.channel, ...kind.choices] : []).flatMap((choice) =>
        bind({ choice }, { choice: redrawn }),
      ),
    ],
    submissions: [
      { view: info.form, needs, waiting: preview ? 'Reading the calls…' : waiting, handle: submit },
      ...submissions,
    ],
  }
}
