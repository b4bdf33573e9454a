import { words } from "./words.ts";

export interface Place {
  city: string;
  zipCodes: [string, ...string[]];
  areaCodes: [string, ...string[]];
}

/** Real states, cities, postal codes and area codes, so that addresses and telephone numbers match. */
const table = `
AL, Birmingham, 35203 35205 35209, 205
AL, Huntsville, 35801 35805, 256
AK, Anchorage, 99501 99503 99507 99515, 907
AK, Juneau, 99801, 907
AK, Fairbanks, 99701 99709, 907
AS, Pago Pago, 96799, 684
AZ, Phoenix, 85004 85008 85016 85022, 602 480
AZ, Tucson, 85701 85705 85719, 520
AZ, Mesa, 85201 85204, 480
AZ, Flagstaff, 86001 86004, 928
AR, Little Rock, 72201 72205 72211, 501
AR, Fayetteville, 72701 72703, 479
CA, Los Angeles, 90004 90012 90026 90042, 213 323
CA, Oakland, 94606 94609 94612, 510
CA, San Diego, 92101 92104 92116, 619 858
CA, Sacramento, 95811 95816 95818, 916
CA, Long Beach, 90802 90804, 562
CO, Denver, 80202 80205 80211 80218, 303 720
CO, Aurora, 80010 80012 80014, 303 720
CO, Boulder, 80301 80302 80304, 303
CO, Colorado Springs, 80903 80909, 719
CO, Fort Collins, 80521 80524, 970
CT, Hartford, 06103 06106 06114, 860
CT, New Haven, 06510 06511 06513, 203
DC, Washington, 20001 20002 20009 20011, 202
DE, Wilmington, 19801 19805 19808, 302
DE, Dover, 19901 19904, 302
FL, Miami, 33125 33130 33137, 305 786
FL, Orlando, 32801 32803 32806, 407
FL, Tampa, 33602 33606 33609, 813
FM, Kolonia, 96941, 691
GA, Atlanta, 30303 30307 30312, 404 470
GA, Savannah, 31401 31405, 912
GU, Hagatna, 96910, 671
GU, Tamuning, 96913, 671
HI, Honolulu, 96813 96814 96816, 808
HI, Hilo, 96720, 808
IA, Des Moines, 50309 50311 50315, 515
IA, Iowa City, 52240 52245, 319
ID, Boise, 83702 83704 83706, 208
ID, Idaho Falls, 83401 83402, 208
IL, Chicago, 60607 60614 60622 60647, 312 773
IL, Springfield, 62701 62704, 217
IL, Rockford, 61101 61107, 815
IN, Indianapolis, 46202 46204 46220, 317
IN, Bloomington, 47401 47404, 812
KS, Wichita, 67202 67203 67211, 316
KS, Lawrence, 66044 66046, 785
KY, Louisville, 40202 40204 40206, 502
KY, Lexington, 40502 40507, 859
LA, New Orleans, 70112 70115 70119, 504
LA, Baton Rouge, 70802 70806, 225
MA, Boston, 02108 02115 02118 02127, 617 857
MA, Worcester, 01602 01605 01609, 508
MA, Springfield, 01103 01108, 413
MA, Northampton, 01060, 413
MD, Baltimore, 21201 21211 21218 21230, 410 443
MD, Frederick, 21701 21702, 301
MD, Annapolis, 21401 21403, 410
ME, Portland, 04101 04102 04103, 207
ME, Bangor, 04401, 207
ME, Lewiston, 04240, 207
MH, Majuro, 96960, 692
MI, Detroit, 48201 48207 48226, 313
MI, Ann Arbor, 48103 48104 48105, 734
MI, Grand Rapids, 49503 49506, 616
MI, Lansing, 48906 48912, 517
MI, Marquette, 49855, 906
MN, Minneapolis, 55401 55407 55414, 612
MN, Saint Paul, 55102 55104 55106, 651
MN, Duluth, 55802 55805, 218
MO, Saint Louis, 63103 63108 63118, 314
MO, Kansas City, 64108 64111 64113, 816
MO, Columbia, 65201 65203, 573
MP, Saipan, 96950, 670
MS, Jackson, 39201 39206, 601
MS, Biloxi, 39530 39531, 228
MT, Missoula, 59801 59802 59808, 406
MT, Bozeman, 59715 59718, 406
MT, Billings, 59101 59102, 406
NC, Charlotte, 28202 28205 28209, 704
NC, Asheville, 28801 28803, 828
ND, Fargo, 58102 58103, 701
ND, Bismarck, 58501 58503, 701
NE, Omaha, 68102 68104 68106, 402
NE, Lincoln, 68502 68508, 402
NH, Manchester, 03101 03103, 603
NH, Concord, 03301, 603
NJ, Newark, 07102 07104 07105, 973
NJ, Jersey City, 07302 07305 07306, 201
NJ, Trenton, 08608 08611, 609
NM, Albuquerque, 87102 87106 87110, 505
NM, Santa Fe, 87501 87505, 505
NM, Las Cruces, 88001 88005, 575
NV, Las Vegas, 89101 89102 89104 89117, 702 725
NV, Reno, 89501 89502 89509, 775
NV, Henderson, 89002 89012, 702
NY, New York, 10003 10011 10025 10029, 212 646 917
NY, Brooklyn, 11201 11215 11222, 718 347
NY, Rochester, 14604 14607 14618, 585
NY, Albany, 12203 12210, 518
NY, Buffalo, 14201 14209, 716
OH, Columbus, 43201 43206 43215, 614
OH, Cleveland, 44102 44113, 216
OH, Cincinnati, 45202 45208, 513
OK, Oklahoma City, 73102 73106 73112, 405
OK, Tulsa, 74103 74104 74114, 918
OR, Portland, 97202 97206 97211 97214, 503 971
OR, Eugene, 97401 97402 97405, 541
OR, Bend, 97701 97702, 541
OR, Salem, 97301 97302, 503
PA, Philadelphia, 19103 19122 19147, 215 267
PA, Pittsburgh, 15203 15213 15222, 412
PR, San Juan, 00901 00907 00911, 787 939
PR, Ponce, 00716 00730, 787
PW, Koror, 96940, 680
RI, Providence, 02903 02906 02909, 401
RI, Newport, 02840, 401
SC, Charleston, 29401 29403, 843
SC, Columbia, 29201 29205, 803
SD, Sioux Falls, 57103 57104 57105, 605
SD, Rapid City, 57701 57702, 605
TN, Nashville, 37203 37206 37211, 615
TN, Memphis, 38103 38104 38111, 901
TX, Austin, 78701 78704 78745, 512
TX, Houston, 77002 77006 77019, 713 832
TX, El Paso, 79901 79902, 915
UM, Wake Island, 96898, 808
UT, Salt Lake City, 84101 84103 84105, 801
UT, Provo, 84601 84604, 801
VA, Richmond, 23219 23220 23221, 804
VA, Arlington, 22201 22204, 703
VA, Norfolk, 23505 23507, 757
VI, Charlotte Amalie, 00802, 340
VI, Christiansted, 00820, 340
VT, Burlington, 05401 05408, 802
VT, Montpelier, 05602, 802
VT, Brattleboro, 05301, 802
WA, Seattle, 98102 98103 98107 98118, 206
WA, Tacoma, 98402 98405 98406, 253
WA, Spokane, 99201 99203 99205, 509
WA, Bellingham, 98225 98229, 360
WI, Milwaukee, 53202 53207 53211, 414
WI, Madison, 53703 53704 53711, 608
WV, Charleston, 25301 25302, 304
WV, Morgantown, 26501 26505, 304
WY, Cheyenne, 82001 82009, 307
WY, Casper, 82601 82604, 307`;

const placesByState = new Map<string, [Place, ...Place[]]>();
for (const line of table.trim().split("\n")) {
  const [state = "", city = "", zipCodes = "", areaCodes = ""] = line.split(", ");
  const place = { city, zipCodes: words(zipCodes), areaCodes: words(areaCodes) };
  const places = placesByState.get(state);
  if (places) {
    places.push(place);
  } else {
    placesByState.set(state, [place]);
  }
}

const capital: [Place] = [{ city: "Washington", zipCodes: ["20001", "20009"], areaCodes: ["202"] }];

/** Cities of a state or territory. The military ones (AA, AE, AP) have no cities and get the capital. */
export function placesIn(state: string): [Place, ...Place[]] {
  return placesByState.get(state) ?? capital;
}
