import { loadPhoneFormat } from '../../src/telephony/phone-numbers.ts'

/** Formats numbers: `+44 20 7946 0042`. */
export const written = await loadPhoneFormat()
