import { beforeAll, expect, it } from 'vitest'
import type { Sample } from '../../../dev/demo/gallery/gallery.ts'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { isCommandButton, readCommandButton } from '../../../src/slack/blocks/buttons.ts'
import { findCommand } from '../../../src/slack/routing/commands.ts'
import { allTools } from '../../features/slackbot/slackbot.ts'
import { registeredRoutes } from '../../support/routes.ts'
import { useDemoPage } from './fixture.ts'

const routes = await registeredRoutes()

const fixture = useDemoPage()
let gallery: readonly Sample[] = []
beforeAll(async () => {
  gallery = await fixture.demo.gallery.samples()
}, 120_000)

const matchesAction = (pattern: string, actionId: string) =>
  pattern.endsWith('.') ? actionId.startsWith(pattern) : actionId === pattern

/** Removes the fields that Slack adds to a view. */
const describeView = ({ type, title, submit, close, blocks }: View): unknown =>
  JSON.parse(JSON.stringify({ type, title, submit, close, blocks }))

const getElements = ({ kind, body }: Sample) => (kind === 'page' ? [] : elementsIn(body.blocks))

/** Returns whether the app knows the command of a command button. */
function isCommand({ actionId, value }: { readonly actionId: string; readonly value: string }): boolean {
  const command = isCommandButton(actionId) ? readCommandButton(value) : undefined
  if (!command) return false
  const isHelp = /^\/callboard( help( all)?)?$/.test(`${command.command} ${command.text}`.trim())
  return isHelp || findCommand(command, routes.commands)?.name !== '/callboard'
}

/** Returns whether a button calls a tool with valid arguments. */
function isTool({ actionId, value }: { readonly actionId: string; readonly value: string }): boolean {
  const tool = allTools.find(({ name }) => actionId === `tool:${name}`)
  return tool?.input.safeParse(JSON.parse(value)).success ?? false
}

/** Lists all interactive elements. */
const elements = () =>
  gallery.flatMap((sample) =>
    getElements(sample).map(({ block, element: { type, action_id: actionId = '', value = '' } }) => {
      const where = `${sample.feature}, ${sample.name}: ${actionId}`
      // Slack sends an input's value when its modal is submitted, unless its block has `dispatch_action`.
      const isClicked = block.type !== 'input' || block.dispatch_action === true
      return { where, type, actionId, value: String(value), isClicked }
    }),
  )

it('records every chapter completely, under unique names', () => {
  expect(fixture.demo.gallery.failures).toEqual([])
  const names = gallery.map(({ feature, name }) => `${feature}, ${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('records samples that Slack accepts', () => {
  const broken = gallery.flatMap(({ feature, name, kind, body }) => {
    if (kind === 'page') return []
    const violations = kind === 'message' ? checkMessage(body) : checkView(describeView(body))
    return violations.map(({ path, rule }) => `${feature}, ${name}: ${path} ${rule}`)
  })
  expect(broken).toEqual([])
})

it('shows every route, and no element or form without one', () => {
  const clicked = elements().filter(({ isClicked }) => isClicked)
  const searched = elements().filter(({ type }) => /external_select$/.test(type))
  const submitted = gallery.flatMap(({ kind, body }) =>
    kind === 'modal' && body.submit !== undefined ? [body.callback_id ?? ''] : [],
  )
  type Route = { readonly action: string }
  const leadsTo = (all: readonly Route[], { actionId }: { readonly actionId: string }) =>
    all.some(({ action }) => matchesAction(action, actionId))
  const isShown = (all: readonly { actionId: string }[], route: Route) =>
    all.some((one) => leadsTo([route], one))
  const isKnown = (one: (typeof clicked)[number]) =>
    isCommand(one) || isTool(one) || leadsTo(routes.actions, one)
  expect(clicked.filter((one) => !isKnown(one))).toEqual([])
  expect(searched.filter((one) => !leadsTo(routes.options, one))).toEqual([])
  expect(routes.actions.filter((route) => !isShown(clicked, route))).toEqual([])
  expect(routes.options.filter((route) => !isShown(searched, route))).toEqual([])
  expect([...new Set(submitted)].sort()).toEqual(routes.submissions.map(({ view }) => view).sort())
})
