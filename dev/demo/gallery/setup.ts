import { connectModal } from '../../../src/features/setup/connect-modal.ts'
import {
  connected,
  disconnectedText,
  disconnectMessage,
  slow,
  tooManyZonesText,
} from '../../../src/features/setup/routes.ts'
import {
  unknownZoneMessage,
  zoneIsScheduledByText,
  zoneMessage,
} from '../../../src/features/setup/timezone.ts'
import type { ZoneSource } from '../../../src/slack/access/workspaces.ts'
import { noticeModal } from '../../../src/slack/answers/modals.ts'
import { refusedKeyText } from '../../../src/slack/answers/refused-key-text.ts'
import { CredentialsRejectedError, ServiceUnavailableError } from '../../../src/telephony/errors.ts'
import { suggestZones } from '../../../src/time/zones.ts'
import { type FeatureSample, message, modal, slowModals, text } from './sample.ts'
import { now, support, team, zone, zoneOf } from './setting.ts'

const form = (isConnected: boolean) => connectModal({ team, channel: support, zone, isConnected })
const refused = refusedKeyText(new CredentialsRejectedError('agents'))
const unavailable = refusedKeyText(new ServiceUnavailableError('agents', 'timeout'))
const notice = (text: string) => noticeModal(text, { title: slow.title })
const zoneFrom = (source: ZoneSource) => zoneMessage(zone, source, now)

export const setup: readonly FeatureSample[] = [
  modal('Connect', form(false)),
  modal('Connect, a pair that is not accepted', form(false), { secret: refused }),
  modal('Connect anew', form(true)),
  ...slowModals('Checking', slow),
  modal('Connected', notice(connected)),
  modal('Checked late, and not tried', notice(unavailable)),
  message('Disconnect?', disconnectMessage()),
  text('Disconnected', disconnectedText),
  message("Time zone, the channel's own", zoneFrom('channel')),
  message("Time zone, the workspace's", zoneFrom('workspace')),
  message("Time zone, the person's", zoneFrom('person')),
  message('Time zone, none set', zoneMessage(zoneOf('UTC'), 'none', now)),
  message('Time zone, set', zoneMessage(zone, 'channel', now, "Set this channel's zone for everyone here.")),
  text('Time zone, as many as can', tooManyZonesText),
  text('Time zone, where posts are scheduled', zoneIsScheduledByText),
  message('A misspelt zone', unknownZoneMessage('Europe/Berln', suggestZones('Europe/Berln', 3))),
  message('A zone like no other', unknownZoneMessage('the moon', suggestZones('the moon', 3))),
]
