import { describe, expect, it } from 'vitest'
import { gallery, type Sample } from '../../../dev/demo/gallery/gallery.ts'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import { elementsIn } from '../../../dev/slack/elements.ts'
import { messageBody, viewBody } from '../../../dev/slack/shapes.ts'
import { matchesAction } from '../../../src/slack/blocks/action.ts'
import { isCommandButton, readCommandButton } from '../../../src/slack/blocks/command-button.ts'
import { findCommand } from '../../../src/slack/routing/commands.ts'
import { registeredRoutes } from '../../support/routes.ts'

const routes = await registeredRoutes()

function elementsOf(sample: Sample) {
  if (sample.kind === 'page') return []
  const { blocks = [] } =
    sample.kind === 'message' ? messageBody.parse(sample.body) : viewBody.parse(sample.body)
  return elementsIn(blocks)
}

/** Whether the command of a command button is one that the app knows. */
function isCommand({ actionId, value }: { readonly actionId: string; readonly value: string }): boolean {
  const command = isCommandButton(actionId) ? readCommandButton(value) : undefined
  if (!command) return false
  const isHelp = /^\/callboard( help)?$/.test(`${command.command} ${command.text}`.trim())
  return isHelp || findCommand(command, routes.commands).name !== '/callboard'
}

const elements = gallery.flatMap((sample) =>
  elementsOf(sample).map(({ block, element: { type, action_id: actionId = '', value = '' } }) => {
    const where = `${sample.feature}, ${sample.name}: ${actionId}`
    // Slack tells of an input's element when its modal is submitted, unless the block asks for more.
    const isClicked = block.type !== 'input' || block.dispatch_action === true
    return { where, type, actionId, value: String(value), isClicked }
  }),
)
const clicked = elements.filter(({ isClicked }) => isClicked)
const searched = elements.filter(({ type }) => /external_select$/.test(type))
const submitted = gallery.flatMap(({ kind, body }) =>
  kind === 'modal' && body.submit !== undefined ? [body.callback_id ?? ''] : [],
)

describe('a sample of the gallery', () => {
  it('has a name of its own', () => {
    const names = gallery.map(({ feature, name }) => `${feature}, ${name}`)
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('is what Slack takes', () => {
    const broken = gallery.flatMap(({ feature, name, kind, body }) => {
      const violations = kind === 'page' ? [] : kind === 'message' ? checkMessage(body) : checkView(body)
      return violations.map(({ path, rule }) => `${feature}, ${name}: ${path} ${rule}`)
    })
    expect(broken).toEqual([])
  })

  it('shows nothing to click that has no route', () => {
    const dead = clicked.filter(
      (one) => !isCommand(one) && !routes.actions.some(({ action }) => matchesAction(action, one.actionId)),
    )
    expect(clicked.length).toBeGreaterThan(100)
    expect(dead).toEqual([])
  })

  it('shows no search that has no route', () => {
    const dead = searched.filter(
      ({ actionId }) => !routes.options.some(({ action }) => matchesAction(action, actionId)),
    )
    expect(searched.length).toBeGreaterThan(3)
    expect(dead).toEqual([])
  })

  it('submits nothing that has no route', () => {
    const views = routes.submissions.map(({ view }) => view)
    expect(submitted.length).toBeGreaterThan(8)
    expect(submitted.filter((view) => !views.includes(view))).toEqual([])
  })
})

describe('the gallery', () => {
  it('shows whatever a route is for', () => {
    const isShown =
      (all: typeof elements) =>
      ({ action }: { readonly action: string }) =>
        all.some(({ actionId }) => matchesAction(action, actionId))
    expect(routes.actions.filter((route) => !isShown(clicked)(route))).toEqual([])
    expect(routes.options.filter((route) => !isShown(searched)(route))).toEqual([])
    expect(routes.submissions.filter(({ view }) => !submitted.includes(view))).toEqual([])
  })
})
