/* SPDX-License-Identifier: Apache-2.0
 *
 * The version. Packages and releases read it here, too.
 */
#ifndef BALLAST_CLI_VERSION_H
#define BALLAST_CLI_VERSION_H

#ifndef BALLAST_VERSION
#define BALLAST_VERSION "1.0.0"
#endif
/* The release date, for the manual. */
#define BALLAST_DATE "2026-11-29"

#endif
