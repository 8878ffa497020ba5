// The runtime lists zones under CLDR's names, some of which IANA and the people who live there gave up long ago.
const CURRENT_NAMES = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Godthab': 'America/Nuuk',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
)

// IANA's links, from the files `etcetera` and `backward`: valid, in use, and listed by no runtime.
const LINKS = `
  Africa/Timbuktu America/Argentina/ComodRivadavia America/Atka America/Ensenada America/Fort_Wayne
  America/Knox_IN America/Montreal America/Nipigon America/Pangnirtung America/Porto_Acre America/Rainy_River
  America/Rosario America/Santa_Isabel America/Shiprock America/Thunder_Bay America/Virgin America/Yellowknife
  Antarctica/South_Pole Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca Asia/Harbin
  Asia/Istanbul Asia/Kashgar Asia/Macao Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator
  Atlantic/Jan_Mayen Australia/ACT Australia/Canberra Australia/Currie Australia/LHI Australia/NSW
  Australia/North Australia/Queensland Australia/South Australia/Tasmania Australia/Victoria Australia/West
  Australia/Yancowinna Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West Canada/Atlantic Canada/Central
  Canada/Eastern Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan Canada/Yukon
  Chile/Continental Chile/EasterIsland Europe/Belfast Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod
  Europe/Zaporozhye Mexico/BajaNorte Mexico/BajaSur Mexico/General Pacific/Johnston Pacific/Samoa Pacific/Yap
  US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana US/Eastern US/Hawaii US/Indiana-Starke
  US/Michigan US/Mountain US/Pacific US/Samoa
  Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya NZ NZ-CHAT Navajo
  Poland Portugal PRC ROC ROK Singapore Turkey W-SU
  CET CST6CDT EET EST EST5EDT HST MET MST MST7MDT PST8PDT WET
  Etc/GMT+1 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9
  Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT-1 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6
  Etc/GMT-7 Etc/GMT-8 Etc/GMT-9 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14`

/** Every zone once, under its current name: `UTC`, then the rest in the order of the alphabet. */
export const zoneNames = once((): readonly string[] => {
  const names = Intl.supportedValuesOf('timeZone').map((name) => CURRENT_NAMES.get(name) ?? name)
  return ['UTC', ...new Set(names.filter((name) => name !== 'UTC').sort())]
})

/** The valid names that `zoneNames` leaves out: former ones, links such as `US/Eastern` and `CET`. */
export const otherZoneNames = once((): readonly string[] => {
  const currentNames = new Set(zoneNames())
  const rest = [...CURRENT_NAMES.keys(), ...LINKS.trim().split(/\s+/)]
  return rest.filter((name) => !currentNames.has(name))
})

const spellings = once(
  () => new Map([...otherZoneNames(), ...zoneNames()].map((name) => [name.toLowerCase(), name] as const)),
)

/** The usual spelling of a name in any case. */
export const usualSpelling = (name: string): string | undefined => spellings().get(name.toLowerCase())

// Each list is made at its first use, from constants and the runtime's own data, and stays the same.
function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
