import { z } from 'zod'
import type { Manifest } from '../../src/manifest.ts'
import type { Interaction, Message, Slack, User, View } from '../slack/slack.ts'
import type { Acted } from './api-types.ts'
import { type Conversation, slackbot } from './conversation.ts'
import type { Traffic } from './traffic.ts'
import { escapeTyped, splitCommand } from './typed-text.ts'
import type { World } from './world.ts'

const option = z.object({
  text: z.looseObject({ type: z.string(), text: z.string() }),
  value: z.string().optional(),
})
const choice = z.union([z.string(), z.array(z.string()), option, z.null()])
const at = z.union([z.object({ message: z.string() }), z.object({ view: z.string() })])
const values = z.record(z.string(), choice)
const element = { user: z.string(), at, blockId: z.string(), actionId: z.string() }

export const actBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('write'),
    user: z.string(),
    channel: z.string(),
    text: z.string().min(1).max(4000),
  }),
  z.object({ kind: z.literal('act'), ...element, choose: choice.optional(), values: values.optional() }),
  z.object({ kind: z.literal('suggest'), ...element, value: z.string() }),
  z.object({ kind: z.literal('submit'), user: z.string(), view: z.string(), values }),
  z.object({ kind: z.literal('close'), user: z.string(), view: z.string() }),
  z.object({ kind: z.literal('home'), user: z.string() }),
])
export type ActBody = z.infer<typeof actBody>

export interface ActsDeps {
  readonly slack: Slack
  readonly appUrl: string
  readonly worlds: readonly World[]
  readonly manifest: Manifest
  readonly conversation: Conversation
  readonly traffic: Traffic
  readonly changed: () => void
}

/** What Slack tells a person whose click or modal came to nothing. */
const troubled = ({ timedOut, error }: Interaction): string | undefined => {
  if (timedOut) return 'Callboard took longer than 3 seconds to answer.'
  return error === undefined ? undefined : `Callboard's answer was no use to Slack (${error}).`
}

/** Does what a person did, as Slack would pass it on. */
export function createActs(deps: ActsDeps): (act: ActBody) => Promise<Acted> {
  const { slack, appUrl, worlds, manifest, conversation, traffic } = deps
  function personOf(id: string): { user: User; world: World } {
    for (const world of worlds) {
      const found = world.personas.find(({ user }) => user.id === id)
      if (found) return { user: found.user, world }
    }
    throw new Error('there is nobody with that id')
  }

  function placeOf(where: z.infer<typeof at>): { message: Message } | { view: View } {
    const message = 'message' in where ? slack.message(where.message) : undefined
    if (message) return { message }
    const view = 'view' in where ? slack.view(where.view) : undefined
    if (view) return { view }
    throw new Error('that is not there any more')
  }

  async function write(world: World, user: User, channelId: string, typed: string): Promise<Acted> {
    const place = world.places.find(({ channel }) => channel.id === channelId)
    if (!place) throw new Error('there is no such channel')
    const { channel } = place
    const tell = (text: string) =>
      conversation.write({ channel: channel.id, author: slackbot, onlyFor: user.id, text })
    const spoken = splitCommand(typed)
    const isHere = world.team.isInstalled === true
    if (!spoken) {
      conversation.write({ channel: channel.id, author: user.id, onlyFor: undefined, text: typed })
      return {}
    }
    if (spoken.command === '/invite') {
      const isApp = spoken.text.trim().toLowerCase() === '@callboard'
      if (isApp) channel.isMember = true
      tell(isApp ? `Callboard is in #${channel.name} now.` : 'This demo can invite @Callboard alone.')
      return {}
    }
    if (!isHere || !manifest.commands.some(({ command }) => command === spoken.command)) {
      tell(
        isHere
          ? `${spoken.command} is not a valid command. This workspace has ${manifest.commands.map(({ command }) => command).join(' and ')}.`
          : `${spoken.command} is not a valid command. Callboard is not installed in this workspace.`,
      )
      return {}
    }
    const known = {
      channels: world.places.map((one) => one.channel),
      people: world.personas.map((one) => one.user),
    }
    const text = escapeTyped(spoken.text, known)
    const noted = traffic.begin(typed.trim())
    const interaction = await slack.command(appUrl, { command: spoken.command, text, user, channel })
    noted(interaction)
    if (interaction.error !== undefined)
      tell(`${spoken.command} failed with the error "${interaction.error}".`)
    return {}
  }

  return async (act) => {
    const { user, world } = personOf(act.user)
    try {
      if (act.kind === 'write') return await write(world, user, act.channel, act.text)
      if (act.kind === 'home') {
        const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel: `D${user.id.slice(1)}` }
        await slack.event(appUrl, event, { team: world.team })
        return {}
      }
      if (act.kind === 'close') {
        const view = slack.view(act.view)
        if (view) await slack.closeView(appUrl, { view, user })
        return {}
      }
      if (act.kind === 'submit') {
        const view = slack.view(act.view)
        if (!view) throw new Error('that is not there any more')
        const noted = traffic.begin(`Submits ${view.title?.text ?? 'a modal'}`)
        const interaction = await slack.submit(appUrl, { view, values: act.values, user })
        noted(interaction)
        const { result } = interaction
        if (result?.action === 'errors') return { errors: result.errors }
        return result?.action === 'failed' ? { problem: troubled(interaction) ?? result.reason } : {}
      }
      const place = placeOf(act.at)
      const target = { ...place, action_id: act.actionId, block_id: act.blockId, user }
      if (act.kind === 'suggest') {
        const interaction = await slack.suggest(appUrl, { ...target, value: act.value })
        return { options: interaction.options, problem: troubled(interaction) }
      }
      const noted = traffic.begin(`Clicks ${act.actionId}`)
      const { choose, values: entered } = act
      const interaction = await slack.click(appUrl, {
        ...target,
        ...(choose === undefined ? {} : { choose }),
        ...(entered === undefined ? {} : { values: entered }),
      })
      noted(interaction)
      return { problem: troubled(interaction) }
    } finally {
      deps.changed()
    }
  }
}
