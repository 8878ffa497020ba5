import { connectModal } from '../../../src/features/setup/connect-modal.ts'
import {
  connectedByCommandText,
  connectedMessage,
  connectedText,
  disconnectedAnswer,
  disconnectedText,
  disconnectMessage,
  pausedHint,
  slow,
} from '../../../src/features/setup/connection-texts.ts'
import { disconnectModal } from '../../../src/features/setup/disconnect-modal.ts'
import { refusedKeyText } from '../../../src/features/setup/refused-key-text.ts'
import {
  unansweredText,
  unsentText,
  untoldText,
  zoneNotice,
} from '../../../src/features/setup/zone-notice.ts'
import {
  changedMessage,
  changedSinceMessage,
  tooManyZonesAnswer,
  unknownZoneMessage,
  type ZoneView,
  zoneIsScheduledAnswer,
  zoneMessage,
} from '../../../src/features/setup/zone-view.ts'
import { kindInfos } from '../../../src/scheduler/kinds.ts'
import type { ZoneSource } from '../../../src/slack/access/workspaces.ts'
import { connectionMenu } from '../../../src/slack/blocks/links.ts'
import { writeOrigin } from '../../../src/slack/blocks/values.ts'
import { noticeModal } from '../../../src/slack/deliver/modals.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TooManyWaitingError,
} from '../../../src/telephony/errors.ts'
import { suggestZones } from '../../../src/time/zone-names.ts'
import { type FeatureSample, message, modal, slowModals } from './sample.ts'
import { now, support, team, zone, zoneOf } from './setting.ts'

const form = (isConnected: boolean) => connectModal({ team, channel: support, zone, isConnected })
const refusals = [
  ['rejected', new CredentialsRejectedError('agents')],
  ['not tested, the service refuses', new RequestRefusedError('agents')],
  ['not tested, the service asks to wait', new RateLimitedError('agents', 120_000)],
  ['not tested, too many waiting', new TooManyWaitingError('agents')],
  ['not tested, the service is away', new ServiceUnavailableError('agents', 'timeout')],
] as const
const notice = (text: string) => noticeModal(text, { title: slow.title })

const inSupport = { channel: support, channelName: 'support' }
const tokyo = zoneOf('Asia/Tokyo')
const view = (source: ZoneSource, more: Partial<ZoneView> = {}): ZoneView => ({
  place: inSupport,
  zone,
  source,
  now,
  ...more,
})
const paused = [
  { kind: kindInfos.report, count: 2 },
  { kind: kindInfos.billing, count: 1 },
]
const change = { before: undefined, set: tokyo }
const changed = (untold?: string) => changedMessage(view('channel', { zone: tokyo }), change, untold)
const told = (source: ZoneSource, isUndone = false) =>
  zoneNotice({ by: 'Ben Okoro', channel: support, zone: tokyo, source, isUndone })
const misspelt = (written: string) => unknownZoneMessage(written, suggestZones(written, 3))

export const setup: readonly FeatureSample[] = [
  modal('Connect', form(false)),
  ...refusals.map(([name, error]) =>
    modal(`Connect: ${name}`, form(false), { secret: refusedKeyText(error) }),
  ),
  modal('Replace key and secret', form(true)),
  ...slowModals('Testing', slow),
  modal('Connected, from a message', notice(connectedText)),
  message('The message that it was opened from', connectedMessage([])),
  message('The same, with paused schedules', connectedMessage(paused)),
  modal('Connected, by command', notice(connectedByCommandText)),
  modal('Connected again, with paused schedules', notice(connectedText + pausedHint(paused))),
  {
    name: 'The menu of the connection on the home tab',
    kind: 'home',
    body: {
      type: 'home',
      private_metadata: writeOrigin(team, ''),
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '✓ Connected' }, accessory: connectionMenu() },
      ],
    },
  },
  message('Disconnect?', disconnectMessage),
  modal('Disconnect? On the home tab', disconnectModal(team, '')),
  message('Disconnected', disconnectedAnswer.message),
  modal('Disconnected, on the home tab', noticeModal(disconnectedText)),
  message("Time zone, the channel's own", zoneMessage(view('channel'), 'Asia/Tokyo')),
  message("Time zone, the workspace's", zoneMessage(view('workspace'), zone)),
  message("Time zone, the person's", zoneMessage(view('person'), zone)),
  message('Time zone, none set', zoneMessage(view('none', { zone: zoneOf('UTC') }))),
  message(
    'Time zone, in a direct message',
    zoneMessage(view('person', { place: { channel: 'D0BEN', channelName: 'directmessage' } }), zone),
  ),
  message('Time zone, set', changed()),
  message('Time zone, set without Callboard in the channel', changed(untoldText('not-in'))),
  message('Time zone, set in a channel that is shared', changed(untoldText('shared'))),
  message('Time zone, set in a channel of two workspaces', changed(untoldText('org-shared'))),
  message(
    'Time zone, set, and Slack refuses to tell the channel',
    changed(unsentText({ kind: 'refused', code: 'restricted_action' })),
  ),
  message('Time zone, set, and Slack confirms nothing', changed(unsentText({ kind: 'unknown' }))),
  message(
    'Time zone, set, and Slack takes no message now',
    changed(unsentText({ kind: 'not-now', retryAfterMs: undefined })),
  ),
  message('Time zone, set, and Slack is away', changed(unansweredText)),
  message("Time zone, back to the workspace's", changedMessage(view('workspace'), change, undefined)),
  message("Time zone, back to each person's", changedMessage(view('person'), change, undefined)),
  message(
    'Time zone, of a channel with alerts and schedules',
    changedMessage(view('channel', { zone: tokyo }), change, undefined, { alerts: true, schedules: true }),
  ),
  message('Time zone, undone', changedMessage(view('channel'), undefined, undefined)),
  message('Time zone, changed by somebody else since', changedSinceMessage(view('channel'))),
  message('Told in the channel: set', told('channel')),
  message('Told in the channel: undone', told('channel', true)),
  message("Told in the channel: back to the workspace's", told('workspace')),
  message("Told in the channel: back to each person's", told('person')),
  message('Time zone, as many as can', tooManyZonesAnswer.message),
  message('Time zone, where posts are scheduled', zoneIsScheduledAnswer(kindInfos.billing).message),
  message('Half a time zone', misspelt('Berlin')),
  message('A misspelt time zone', misspelt('America/Indianna')),
  message('A time zone like no other', misspelt('Xyzzy')),
]
