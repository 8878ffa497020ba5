import type { Services } from '../../services.ts'
import { textAnswer } from '../../slack/deliver/answers.ts'
import * as routing from '../../slack/routing/routes.ts'
import { type AlertRecord, getAlertId, POLL_ID } from '../../store/alerts.ts'
import { SubscriptionRoutes } from '../subscriptions/routes.ts'
import { type AlertMenuValue, alertMenuEntries, muteActions } from './actions.ts'
import { deliverAlert } from './delivery.ts'
import type { AlertOptions } from './form.ts'
import { CallHandling } from './handling/handling.ts'
import { AlertKind } from './kind.ts'
import { AlertMessages } from './messages.ts'
import { OpenLists } from './open/list.ts'
import { Poller } from './poller.ts'

/** Creates the jobs and routes of alerts, and the parts that other features use. `app.ts` adds the routes of `subscriptions`. */
export function createAlerts(services: Services) {
  const { store, workspaces } = services
  const messages = new AlertMessages(services)
  const handling = new CallHandling(services, messages)
  const openLists = new OpenLists(services, handling)
  const subscriptions = new SubscriptionRoutes(services, new AlertKind(services, messages))
  const poller = new Poller(services, (alert) => deliverAlert(services, messages, alert))
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.polls.change(tenant, POLL_ID, (poll) => ({ ...poll, failing: undefined }))
  })
  const routes: routing.FeatureRoutes = {
    jobs: [poller.work(), handling.work()],
    background: [(stopping) => poller.keepJobsEnqueued(stopping)],
    commands: openLists.commands(),
    submissions: handling.submissions(),
    actions: [...handling.actions(), ...openLists.actions(), ...bindAlertActions(subscriptions)],
  }
  return { openLists, subscriptions, routes }
}

/** Mutes and edits alerts from their messages, which everyone sees, so the messages stay. */
function bindAlertActions(subscriptions: SubscriptionRoutes<AlertRecord, AlertOptions>) {
  /** The action's value names the alert, or its message. */
  const changeHandler = (
    change: 'mute-hour' | 'mute-day' | 'turn-on',
  ): routing.ActionHandler<{ readonly alert: string } | AlertMenuValue> => ({
    needs: 'calls',
    replacesOriginal: false,
    handle: async ({ interaction, value }) => {
      const id = 'alert' in value ? value.alert : getAlertId(value.id)
      return textAnswer(await subscriptions.records.change(interaction, id, change))
    },
  })
  const entries = routing.bind(alertMenuEntries, {
    muteHour: changeHandler('mute-hour'),
    muteDay: changeHandler('mute-day'),
    edit: {
      needs: 'calls',
      opensModal: true,
      handle: ({ value, ...request }) =>
        subscriptions.edit({ ...request, value: { id: getAlertId(value.id) } }),
    },
  })
  const buttons = { mute: changeHandler('mute-hour'), turnOn: changeHandler('turn-on') }
  return [...entries, ...routing.bind(muteActions, buttons)]
}
