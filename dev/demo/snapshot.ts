import type { Manifest } from '../../src/manifest.ts'
import { elementsIn, initialChoice } from '../slack/elements.ts'
import type { Slack, User, View } from '../slack/slack.ts'
import type { Choice, DemoAccount, Person, ShownInput, ShownMessage, ShownView, State } from './api-types.ts'
import { type Conversation, slackbot } from './conversation.ts'
import type { World } from './world.ts'

/** The channel of what the app tells one person alone. */
const DIRECT = 'direct'

export interface SnapshotDeps {
  readonly slack: Slack
  readonly worlds: readonly World[]
  /** Of the app's install page. */
  readonly installUrl: string
  readonly manifest: Manifest
  readonly conversation: Conversation
  readonly accounts: readonly DemoAccount[]
}

function inputsOf(view: View): ShownInput[] {
  return elementsIn(view.blocks.filter(({ type }) => type === 'input')).map(({ block, element }) => {
    const initial: Choice = initialChoice(element)
    const blockId = block.block_id ?? ''
    return { blockId, actionId: element.action_id ?? '', isOptional: block.optional ?? false, initial }
  })
}

const shownView = (view: View): ShownView => ({
  id: view.id,
  hash: view.hash,
  title: view.title?.text ?? '',
  submit: view.submit?.text,
  close: view.close?.text ?? 'Cancel',
  blocks: view.blocks,
  inputs: inputsOf(view),
})

/** What this person sees now. Nobody gets what is for somebody else alone. */
export function snapshot(
  { slack, worlds, manifest, conversation, accounts, installUrl }: SnapshotDeps,
  world: World,
  user: User,
): State {
  const isMine = (onlyFor: string | undefined) => onlyFor === undefined || onlyFor === user.id
  const direct = slack.directChannel(user)?.id
  const seen = new Set([direct, ...world.places.map(({ channel }) => channel.id)])
  const mine = slack.messages({ user }).filter(({ channel }) => seen.has(channel))
  const ofApp: ShownMessage[] = mine.map((message) => ({
    ts: message.ts,
    channel: message.channel === direct ? DIRECT : message.channel,
    author: world.team.botUserId,
    isOnlyForYou: message.onlyFor !== undefined,
    text: message.text,
    blocks: message.blocks,
  }))
  const ofPeople: ShownMessage[] = conversation.notes
    .filter(({ onlyFor, channel }) => isMine(onlyFor) && seen.has(channel))
    .map(({ onlyFor, ...note }) => ({ ...note, isOnlyForYou: onlyFor !== undefined, blocks: [] }))
  const people: Person[] = world.personas.map(({ user: { id, real_name: name }, title }) => ({
    id,
    name,
    title,
    isApp: false,
  }))
  const home = slack.home(user)
  return {
    workspace: world.workspace,
    isInstalled: world.team.isInstalled === true,
    installUrl,
    workspaces: worlds.map(({ workspace, personas: [first] }) => ({ name: workspace, user: first.user.id })),
    people: [
      ...people,
      { id: world.team.botUserId, name: 'Callboard', title: 'App', isApp: true },
      { id: slackbot, name: 'Slackbot', title: 'App', isApp: true },
    ],
    channels: world.places.map(({ channel: { id, name }, topic }) => ({ id, name, topic })),
    commands: manifest.commands,
    accounts,
    messages: [...ofApp, ...ofPeople].sort((a, b) => Number(a.ts) - Number(b.ts)),
    views: slack
      .openViews()
      .filter((view) => view.user === user.id)
      .map(shownView),
    home: home && shownView(home),
  }
}
